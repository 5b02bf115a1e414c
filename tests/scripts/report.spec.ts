import { expect, test } from "vitest";
import { reporter } from "../../scripts/setup/report.mjs";

/** Takes what is written as a terminal shows it: the last line can be rewritten. */
function terminal(isTTY: boolean): { isTTY: boolean; write(text: string): void; lines(): string[] } {
  let text = "";
  const shown = (line: string): string => line.split("\r\x1b[K").at(-1) ?? "";
  return {
    isTTY,
    write: (more) => void (text += more),
    // The seconds are left out, whatever they are.
    lines: () => text.split("\n").map((line) => shown(line).replace(/[\d.]+ s/, "N s")),
  };
}

function promise(): { done: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  return { done, resolve, reject };
}

test("on a terminal steps that run at once share its last line, whichever ends first", async () => {
  const screen = terminal(true);
  const report = onTerminal(screen);
  const [one, two] = [promise(), promise()];
  const first = report.step("one", () => one.done);
  expect(screen.lines()).toEqual(["set-up: one ... N s"]);
  const second = report.step("two", () => two.done);
  expect(screen.lines()).toEqual(["set-up: two ... N s, and 1 more"]);
  report.line("a note");
  expect(screen.lines()).toEqual(["set-up: a note", "set-up: two ... N s, and 1 more"]);
  one.resolve();
  await first;
  expect(screen.lines()).toEqual(["set-up: a note", "set-up: one: done in N s", "set-up: two ... N s"]);
  two.resolve();
  await second;
  expect(screen.lines().slice(1)).toEqual(["set-up: one: done in N s", "set-up: two: done in N s", ""]);
});

test("a step that fails takes its line with it and leaves the others", async () => {
  const screen = terminal(true);
  const report = onTerminal(screen);
  const [one, two] = [promise(), promise()];
  const first = report.step("one", () => one.done);
  const second = report.step("two", () => two.done);
  two.reject(new Error("broken"));
  await expect(second).rejects.toThrow("broken");
  expect(screen.lines()).toEqual(["set-up: one ... N s"]);
  one.resolve();
  await first;
  expect(screen.lines()).toEqual(["set-up: one: done in N s", ""]);
});

test("elsewhere there is a line at the start and one at the end", async () => {
  const screen = terminal(false);
  await reporter({ stream: screen }).step("one", () => Promise.resolve());
  expect(screen.lines()).toEqual(["set-up: one ...", "set-up: one: done in N s", ""]);
});

/** As on a terminal, also where the tests run as part of CI, which set-up takes for none. */
function onTerminal(stream: ReturnType<typeof terminal>): ReturnType<typeof reporter> {
  const before = process.env["CI"];
  delete process.env["CI"];
  try {
    return reporter({ stream });
  } finally {
    if (before !== undefined) process.env["CI"] = before;
  }
}
