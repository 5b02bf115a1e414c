/** Bytes kept of the beginning, and as many of the end. */
const each = 64 << 10;

/**
 * What a process writes for people, of which no more than the beginning and the end are kept. Cut between lines only, so
 * that no secret is left over by half, which would not be found and hidden any more.
 */
export class BoundedText {
  readonly #head: Buffer[] = [];
  #headLength = 0;
  #tail: Buffer[] = [];
  #tailLength = 0;
  #dropped = 0;

  add(chunk: Buffer): void {
    const room = Math.max(0, each - this.#headLength);
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headLength += Math.min(room, chunk.length);
    }
    const rest = chunk.subarray(room);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    while (this.#tailLength - (this.#tail[0]?.length ?? 0) >= each) {
      const first = this.#tail.shift()?.length ?? 0;
      this.#tailLength -= first;
      this.#dropped += first;
    }
  }

  toString(): string {
    const [head, tail] = [Buffer.concat(this.#head), Buffer.concat(this.#tail)];
    if (this.#dropped === 0) return Buffer.concat([head, tail]).toString();
    const begin = head.toString().replace(/[^\r\n]*$/, "");
    const end = tail.toString();
    const line = /[\r\n]/.exec(end)?.index ?? end.length;
    return `${begin}(${Math.round(this.#dropped / 1024)} KiB left out)\n${end.slice(line + 1)}`;
  }
}
