/** What the demo says: a numbered step, a line of somebody's output, a claim that was checked. */
export class Narrator {
  #step = 0;
  readonly #write: (line: string) => void;
  readonly #colour: boolean;

  constructor(
    write: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
    colour = process.stdout.isTTY && process.env["NO_COLOR"] === undefined,
  ) {
    this.#write = write;
    this.#colour = colour;
  }

  step(title: string): void {
    this.#step += 1;
    this.#write("");
    this.#write(this.#paint("1", `${this.#step}. ${title}`));
  }

  say(text: string): void {
    this.#write(`   ${text}`);
  }

  /** Output of a command or content of a file, set off from the demo's own words. */
  quote(text: string): void {
    for (const line of text.trimEnd().split("\n")) this.#write(this.#paint("2", `   | ${line}`));
  }

  /** A command, as a user would type it. */
  command(line: string): void {
    this.#write(this.#paint("36", `   $ ${line}`));
  }

  /** States what must be so. Throws when it is not: the demo claims nothing that it has not seen. */
  claim(holds: boolean, text: string, evidence = ""): void {
    if (!holds) throw new Error(`This should hold and does not: ${text}${evidence && `\n${evidence}`}`);
    this.#write(this.#paint("32", `   ✓ ${text}`));
  }

  #paint(code: string, text: string): string {
    return this.#colour ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}
