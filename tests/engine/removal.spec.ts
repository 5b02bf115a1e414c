import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { expectCode, startTestLab, type TestLab } from "../support/lab.ts";
import { TestProgram } from "../support/program.ts";

/** What is said of a removal counts, though the engine hands a delete the state of the last update and no inputs. */
describe("a removal", () => {
  let test: TestLab;
  beforeAll(async () => (test = await startTestLab()));
  afterAll(() => test.stop());

  interface Wanted {
    readonly names: readonly string[];
    readonly author?: string;
    readonly more?: string;
  }
  const source = (folder: string, { names, author = "Arcflux", more = "" }: Wanted): string =>
    [
      `import { GitFiles } from "./provider/gitFiles.ts";`,
      `for (const name of ${JSON.stringify(names)}) {`,
      `  new GitFiles(name, { repository: ${JSON.stringify(test.lab.repositoryUrl)}, branch: "main",`,
      `    directory: ${JSON.stringify(folder)} + "/" + name, files: { "a.yaml": "a: 1\\n" }, message: "Write",`,
      `    author: { name: ${JSON.stringify(author)}, email: "arcflux@example.com" }, ${more} });`,
      "}",
      "",
    ].join("\n");
  const start = async (folder: string, wanted: Wanted): Promise<TestProgram> => {
    const program = await TestProgram.create(test.lab, folder, source(folder, wanted));
    expectCode(await program.pulumi("up", "--yes", "--skip-preview"), 0);
    return program;
  };
  const filesIn = async (folder: string, branch = "main"): Promise<string[]> =>
    Object.keys(await test.repository.files(branch)).filter((path) => path.startsWith(`${folder}/`));

  it("goes the way that was asked for last, without any content changed since", async () => {
    const program = await start("asked", { names: ["one"] });
    const before = await test.repository.commits();
    await program.write(
      source("asked", { names: ["one"], author: "Robot", more: `delivery: { mode: "pullRequest" }` }),
    );
    expectCode(await program.pulumi("up", "--yes", "--skip-preview"), 0);
    expectCode(await program.pulumi("preview", "--expect-no-changes"), 0);
    expectCode(await program.pulumi("destroy", "--yes", "--skip-preview"), 0);
    expect(await test.repository.commits()).toEqual(before);
    expect(await filesIn("asked", "arcflux/asked/test")).toEqual([]);
    const said = await test.repository.git("log", "-1", "--format=%an: %s", "arcflux/asked/test");
    expect(said).toBe("Robot: Remove asked/one");
  });

  it("leaves the files where all others of the very update say keep, and says so", async () => {
    const program = await start("kept", { names: ["one", "two"] });
    await program.write(source("kept", { names: ["one"], more: `onDelete: "keep"` }));
    const up = expectCode(await program.pulumi("up", "--yes", "--skip-preview"), 0);
    expect(up.stdout).toContain("its files stay in kept/two on branch main");
    expect(await filesIn("kept")).toEqual(["kept/one/a.yaml", "kept/two/a.yaml"]);
    // A removal in a later update is as asked for, too.
    await program.write(source("kept", { names: [] }));
    expectCode(await program.pulumi("up", "--yes", "--skip-preview"), 0);
    expect(await filesIn("kept")).toEqual(["kept/one/a.yaml", "kept/two/a.yaml"]);
  });

  it("takes the files where nothing is said", async () => {
    const program = await start("taken", { names: ["one", "two"] });
    await program.write(source("taken", { names: ["one"] }));
    expectCode(await program.pulumi("up", "--yes", "--skip-preview"), 0);
    expect(await filesIn("taken")).toEqual(["taken/one/a.yaml"]);
  });
});
