import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { expectCode, startTestLab, type TestLab } from "../support/lab.ts";
import { TestProgram } from "../support/program.ts";

describe("an upgrade of Arcflux (D05, B11)", () => {
  let test: TestLab;
  let program: TestProgram;

  beforeAll(async () => {
    test = await startTestLab();
    program = await TestProgram.create(
      test.lab,
      "upgrade",
      [
        `import { GitFiles } from "./provider/gitFiles.ts";`,
        `new GitFiles("files", { repository: ${JSON.stringify(test.lab.repositoryUrl)}, branch: "main",`,
        `  directory: "clusters/a", files: { "flux/a.yaml": "a: 1\\n" }, message: "First",`,
        `  author: { name: "Arcflux", email: "arcflux@example.com" } });`,
        "",
      ].join("\n"),
    );
    expectCode(await program.pulumi("up", "--yes", "--skip-preview"), 0);
    const file = join(program.folder, "package.json");
    const manifest = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...manifest, version: "99.0.0" }));
  });
  afterAll(() => test.stop());

  it("changes nothing and commits nothing when the fleet is the same", async () => {
    const before = await test.repository.commits();
    expectCode(await program.pulumi("preview", "--expect-no-changes"), 0);
    expectCode(await program.pulumi("up", "--yes", "--skip-preview", "--expect-no-changes"), 0);
    expect(await test.repository.commits()).toEqual(before);
  });

  it("has no code of the provider to find in the state, as a dynamic one would leave there (D01)", async () => {
    const { stdout } = await program.pulumi("stack", "export");
    const { deployment } = JSON.parse(stdout) as { deployment: { resources: { type: string }[] } };
    const files = deployment.resources.filter(({ type }) => type === "arcflux-git:index:GitFiles");
    expect(files).toHaveLength(1);
    expect(JSON.stringify(files)).not.toMatch(/__provider|=>|function|require\(|import/);
  });

  it("another message alone is no change either", async () => {
    const before = await test.repository.commits();
    const source = await readFile(join(program.folder, "index.ts"), "utf8");
    await program.write(source.replace(`"First"`, `"Second"`));
    expectCode(await program.pulumi("up", "--yes", "--skip-preview", "--expect-no-changes"), 0);
    expect(await test.repository.commits()).toEqual(before);
  });

  it("a destroy without an update before it runs the new code on the old state", async () => {
    const file = join(program.folder, "provider", "writes.ts");
    const code = await readFile(file, "utf8");
    await writeFile(file, code.replace("`Remove ${state", "`Removed by the new code: ${state"));
    expectCode(await program.pulumi("destroy", "--yes", "--skip-preview"), 0);
    expect(await test.repository.git("log", "-1", "--format=%s", "main")).toBe(
      "Removed by the new code: clusters/a",
    );
    expect(Object.keys(await test.repository.files())).not.toContain("clusters/a/flux/a.yaml");
  });
});
