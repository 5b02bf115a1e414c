import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";

describe("repository.commit of the fleet file", () => {
  let test: TestLab;
  let stack: LabStack;
  const commit = [
    "  commit:",
    "    name: Fleet",
    "    email: fleet@example.com",
    "    committer: { name: Robot, email: robot@example.com }",
    '    message: "{operation} {cluster}: {changes} ({count})\\n\\nBy {project}/{stack}"',
    "",
  ].join("\n");
  const fleet = (clusters: Readonly<Record<string, readonly string[]>>, more = commit) =>
    presentFleet(clusters).replace(/(?<=fleet\.git\n)/, more);

  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    stack = await LabStack.init(test.lab, "says", fleet({ edge: ["db", "web"] }));
  });
  afterAll(() => test.stop());

  it("says in git log who, which cluster and which sets, commit by commit", async () => {
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    await stack.writeFleet(fleet({ edge: ["db", "till", "web"] }));
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const log = await test.repository.git("log", "-2", "--format=%an <%ae> %cn <%ce>%n%s%n%b", "main");
    const lines = log.split("\n").filter((line) => line !== "" && !line.startsWith("Arcflux-"));
    expect(lines).toEqual([
      "Fleet <fleet@example.com> Robot <robot@example.com>",
      "update edge: till (1)",
      "By arcflux/says",
      "Fleet <fleet@example.com> Robot <robot@example.com>",
      "create edge: db, web (2)",
      "By arcflux/says",
    ]);
  });

  it("makes no commit when the message alone changes", async () => {
    const before = await test.repository.commits();
    await stack.writeFleet(fleet({ edge: ["db", "till", "web"] }, "  commit: { message: New }\n"));
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(await test.repository.commits()).toEqual(before);
  });
});
