import { describe, expect, it } from "vitest";
import { durationPattern, durationSeconds } from "../../values/duration.ts";

describe("durations, as Flux's CRDs take them", () => {
  it.each([
    ["1h30m0s", 5400],
    ["90s", 90],
    ["1.5h", 5400],
    ["500ms", 0.5],
    ["720m0s", 43200],
    ["120m0s", 7200],
    ["8m20s", 500],
    // Not 3960.0000000000005, which floating point makes of it.
    ["1.1h", 3960],
  ])("%s is %d s", (text, seconds) => {
    expect(durationSeconds(text)).toBe(seconds);
  });

  it.each(["5", "", "1d", "PT5M", "-5m", "1h 30m", "10M", "100us", "5m\n", "1e3s", ".5h", "5.h"])(
    "%j is refused",
    (text) => {
      expect(durationPattern.test(text)).toBe(false);
      expect(() => durationSeconds(text)).toThrow("is not a duration");
    },
  );

  it("compares by value, not by spelling", () => {
    expect(durationSeconds("60m0s")).toBe(durationSeconds("1h"));
  });

  it("refuses what Go cannot hold", () => {
    expect(durationSeconds("2562047h")).toBe(9_223_369_200);
    expect(() => durationSeconds("2562048h")).toThrow("longer than Flux can hold");
  });
});
