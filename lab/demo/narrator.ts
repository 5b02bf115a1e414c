/** What the demo says: a numbered step; with details also somebody's output, and each claim that was checked. */
export class Narrator {
  #step = 0;
  readonly #details: boolean;
  readonly #write: (line: string) => void;
  readonly #colour: boolean;

  constructor(
    details: boolean,
    write: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
    colour = process.stdout.isTTY && process.env["NO_COLOR"] === undefined,
  ) {
    this.#details = details;
    this.#write = write;
    this.#colour = colour;
  }

  step(title: string): void {
    this.#step += 1;
    if (this.#details) this.#write("");
    this.#write(this.#paint("1", `${this.#step}. ${title}`));
  }

  say(text: string): void {
    if (this.#details) this.#write(`   ${text}`);
  }

  /** What to do after the demo, whether details are shown or not. */
  end(lines: readonly string[]): void {
    for (const line of lines) this.#write(`   ${line}`);
  }

  /** Output of a command or content of a file, set off from the demo's own words. */
  quote(text: string): void {
    if (!this.#details) return;
    for (const line of text.trimEnd().split("\n")) this.#write(this.#paint("2", `   | ${line}`));
  }

  /** A command, as a user would type it. */
  command(line: string): void {
    if (this.#details) this.#write(this.#paint("36", `   $ ${line}`));
  }

  /** States what must be so. Throws when it is not: the demo claims nothing that it has not seen. */
  claim(holds: boolean, text: string, evidence = ""): void {
    if (!holds) throw new Error(`This should hold and does not: ${text}${evidence && `\n${evidence}`}`);
    if (this.#details) this.#write(this.#paint("32", `   ✓ ${text}`));
  }

  #paint(code: string, text: string): string {
    return this.#colour ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}
