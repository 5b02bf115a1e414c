import { expect, test } from "vitest";
import { pickedFrom, stageActOf, stageMessage, type StageAct } from "../../git/index.ts";

const from = "4f2c1ab0".repeat(5);

test("what a commit of a stage is, is read from its trailers", () => {
  const act: StageAct = {
    operation: "promote",
    stage: "prod",
    from,
    after: "test",
    unverified: "Azure is down",
  };
  const message = stageMessage("Promote test to prod\n\nAll of it.", act);
  expect(message).toBe(
    [
      "Promote test to prod",
      "",
      "All of it.",
      "",
      "Arcflux-Operation: promote",
      "Arcflux-Stage: prod",
      `Arcflux-From: ${from}`,
      "Arcflux-After: test",
      "Arcflux-Unverified: Azure is down",
      "",
    ].join("\n"),
  );
  expect(stageActOf(message)).toEqual(act);
});

test("a hotfix says in git's own words where it comes from", () => {
  const message = stageMessage("Fix the till", { operation: "hotfix", stage: "prod", from });
  expect(message).toContain(`\n(cherry picked from commit ${from})\n`);
  expect(pickedFrom(message)).toEqual([from]);
  expect(pickedFrom(`Fix\n\n(cherry picked from commit ${from})\n`)).toEqual([from]);
});

test("other commits of Arcflux, and texts about them, are none of a stage", () => {
  expect(stageActOf("39 stores\n\nArcflux-Operation: update\nArcflux-Stage: prod\n")).toBeUndefined();
  expect(
    stageActOf(`Look:\n\nArcflux-Operation: promote\nArcflux-Stage: a\nArcflux-From: ${from}\n\nWhy?\n`),
  ).toBeUndefined();
});
