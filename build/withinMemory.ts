/**
 * A WebAssembly module whose memory cannot grow past `megabytes`. Go's linker sets no bound, and some input makes
 * kustomize take all that it gets. Throws a RangeError where the bytes hold no memory of their own.
 */
export function withinMemory(module: Uint8Array, megabytes: number): Uint8Array<ArrayBuffer> {
  const memorySection = 5;
  let at = 8;
  while (at < module.length) {
    const id = module[at]!;
    const [size, body] = readNumber(module, at + 1);
    if (id === memorySection) {
      const [count, first] = readNumber(module, body);
      const [least] = readNumber(module, first + 1);
      if (count !== 1) break;
      const bounded = [1, 1, ...number(least), ...number(megabytes * 16)];
      return Buffer.concat([
        module.subarray(0, at + 1),
        Buffer.from([...number(bounded.length), ...bounded]),
        module.subarray(body + size),
      ]);
    }
    at = body + size;
  }
  throw new RangeError("not a module with one memory");
}

/** A number as WebAssembly writes it (LEB128), and where it ends. */
function readNumber(bytes: Uint8Array, start: number): [number, number] {
  let value = 0;
  for (let at = start, scale = 1; ; at++, scale *= 128) {
    const byte = bytes[at];
    if (byte === undefined) throw new RangeError("the module is cut off");
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at + 1];
  }
}

function number(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...number(Math.floor(value / 128))];
}
