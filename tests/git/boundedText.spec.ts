import fc from "fast-check";
import { expect, it } from "vitest";
import { BoundedText } from "../../git/access/boundedText.ts";

it("short texts are kept as they are, however they come", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 50 })), (parts) => {
      const text = new BoundedText();
      for (const part of parts) text.add(Buffer.from(part));
      expect(String(text)).toBe(parts.join(""));
    }),
  );
});

it("of long ones whole lines of the beginning and the end are kept", () => {
  const text = new BoundedText();
  const line = `${"secret".repeat(20)}\n`;
  const all = `first\n${line.repeat(20_000)}last`;
  for (let at = 0; at < all.length; at += 4_093) text.add(Buffer.from(all.slice(at, at + 4_093)));
  const lines = String(text).split("\n");
  expect([lines[0], lines.at(-1)]).toEqual(["first", "last"]);
  expect(lines.filter((one) => one !== line.trimEnd())).toEqual([
    "first",
    expect.stringMatching(/^\(\d+ KiB left out\)$/),
    "last",
  ]);
  expect(String(text).length).toBeLessThan(200_000);
});
