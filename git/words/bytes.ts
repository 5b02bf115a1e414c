/** A path as text to the form that names have here. */
export function toBytes(path: string): string {
  return Buffer.from(path, "utf8").toString("latin1");
}

/** The other way, for messages. */
export function toText(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
