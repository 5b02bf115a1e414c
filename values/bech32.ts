/* Bech32 (BIP 173), which age writes its keys in, without the limit of 90 characters. */

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** `encodeBech32("age", bytes)` is `age1…`. */
export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  const words = regroup(bytes, 8, 5, true)!;
  const sum = checksum([...spread(prefix), ...words, 0, 0, 0, 0, 0, 0]) ^ 1;
  const all = [...words, ...[25, 20, 15, 10, 5, 0].map((shift) => (sum >> shift) & 31)];
  return `${prefix}1${all.map((word) => alphabet[word]).join("")}`;
}

/** The bytes of a text in lower case; undefined where a character or the checksum is wrong. */
export function decodeBech32(prefix: string, text: string): Uint8Array | undefined {
  if (!text.startsWith(`${prefix}1`)) return undefined;
  const words = [...text.slice(prefix.length + 1)].map((sign) => alphabet.indexOf(sign));
  if (words.length < 6 || words.includes(-1)) return undefined;
  if (checksum([...spread(prefix), ...words]) !== 1) return undefined;
  const bytes = regroup(words.slice(0, -6), 5, 8, false);
  return bytes && Uint8Array.from(bytes);
}

function spread(prefix: string): number[] {
  const codes = [...prefix].map((sign) => sign.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function checksum(words: readonly number[]): number {
  let sum = 1;
  for (const word of words) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ word;
    for (const [index, generator] of generators.entries()) if ((top >>> index) & 1) sum ^= generator;
  }
  return sum >>> 0;
}

/** Bits in groups of another size; without padding, undefined where bits are left that say something. */
function regroup(values: Iterable<number>, from: number, to: number, pad: boolean): number[] | undefined {
  const result: number[] = [];
  let [held, bits] = [0, 0];
  for (const value of values) {
    held = (held << from) | value;
    bits += from;
    while (bits >= to) {
      bits -= to;
      result.push((held >> bits) & ((1 << to) - 1));
    }
    held &= (1 << bits) - 1;
  }
  if (pad) return bits > 0 ? [...result, (held << (to - bits)) & ((1 << to) - 1)] : result;
  return bits < from && held === 0 ? result : undefined;
}
