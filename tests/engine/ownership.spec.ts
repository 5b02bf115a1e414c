import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { mustRun, type Ran } from "../../lab/run.ts";
import { expectCode, startTestLab, type TestLab } from "../support/lab.ts";
import { TestProgram } from "../support/program.ts";

let test: TestLab;
beforeAll(async () => {
  test = await startTestLab();
});
afterAll(() => test.stop());

interface Resource {
  readonly name?: string;
  readonly directory?: string;
  readonly branch?: string;
  readonly files: Readonly<Record<string, string>>;
  readonly more?: string;
}

/** A program of GitFiles resources; `more` are further inputs, as text. */
function source(...resources: Resource[]): string {
  const lines = resources.map(({ name = "files", directory, branch = "main", files, more = "" }) =>
    [
      `new GitFiles(${JSON.stringify(name)}, { repository: ${JSON.stringify(test.lab.repositoryUrl)},`,
      `  branch: ${JSON.stringify(branch)}, directory: ${JSON.stringify(directory)}, files: ${JSON.stringify(files)},`,
      `  message: "Update", author: { name: "Arcflux", email: "arcflux@example.com" }, ${more} });`,
    ].join("\n"),
  );
  return [`import { GitFiles } from "./provider/gitFiles.ts";`, ...lines, ""].join("\n");
}

const set = (interval: string): string =>
  `kind: Kustomization\nspec:\n  interval: ${interval}\n  prune: true\n`;

const up = (program: TestProgram, ...args: string[]): Promise<Ran> =>
  program.pulumi("up", "--yes", "--skip-preview", ...args);
const commits = async (): Promise<number> => (await test.repository.commits()).length;
const filesOf = async (folder: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(await test.repository.files())
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => [path.slice(folder.length + 1), ""]),
  );

describe("drift", () => {
  const directory = "clusters/drift";
  const files = { "a.yaml": set("10m"), "b.yaml": set("20m"), "c.yaml": set("30m") };
  let program: TestProgram;
  beforeAll(async () => {
    program = await TestProgram.create(test.lab, "drift", source({ directory, files }));
    expectCode(await up(program), 0);
  });

  it("B10, D07: a refresh shows the edited lines and the deleted file, an update stops, drift: restore puts both back in one commit", async () => {
    await test.person.commit("INC-9: slower", {
      [`${directory}/a.yaml`]: set("99m"),
      [`${directory}/b.yaml`]: null,
    });
    const before = await commits();
    expectCode(await program.pulumi("refresh", "--yes", "--skip-preview"), 0);
    const { stdout: preview, stderr } = expectCode(await program.pulumi("preview", "--diff"), 0);
    const marked = preview.split("\n").filter((line) => /^ *[~+-] /.test(line));
    expect(marked.join("\n")).toContain('~ interval: "99m" => "10m"');
    expect(marked.join("\n")).toContain("+ b.yaml");
    expect(marked.join("\n")).not.toContain("c.yaml");
    const stops = `on branch main: ${directory}/a.yaml, ${directory}/b.yaml (deleted). An update stops there`;
    expect(stderr).toContain(stops);

    const stopped = await up(program);
    expect(stopped.code).not.toBe(0);
    const said = stopped.stdout + stopped.stderr;
    expect(said).toContain(`${directory}/a.yaml: someone changed it`);
    expect(said).toContain('spec.interval: "99m" -> "10m"');
    expect(said).toMatch(/by commit [0-9a-f]{10} of Ada Person, .*: INC-9: slower/);
    expect(said).toContain(`${directory}/b.yaml: someone deleted it`);
    expect(await commits()).toBe(before);

    await program.write(source({ directory, files, more: `drift: "restore"` }));
    const restored = expectCode(await up(program), 0);
    expect(restored.stdout + restored.stderr).not.toContain("An update stops there");
    expect(await commits()).toBe(before + 1);
    expect(await test.repository.show(`${directory}/a.yaml`)).toBe(set("10m"));
    expect(await test.repository.show(`${directory}/b.yaml`)).toBe(set("20m"));
    expectCode(await program.pulumi("preview", "--expect-no-changes"), 0);
    expectCode(await program.pulumi("refresh", "--yes", "--skip-preview"), 0);
    expectCode(await program.pulumi("preview", "--expect-no-changes"), 0);
  });

  it("a drift that someone took back is gone with the next refresh", async () => {
    await program.write(source({ directory, files }));
    await test.person.commit("Try", { [`${directory}/a.yaml`]: set("1m") });
    expectCode(await program.pulumi("refresh", "--yes", "--skip-preview"), 0);
    await test.person.commit("Take back", { [`${directory}/a.yaml`]: set("10m") });
    expectCode(await program.pulumi("refresh", "--yes", "--skip-preview"), 0);
    const before = await commits();
    expectCode(await up(program, "--expect-no-changes"), 0);
    expect(await commits()).toBe(before);
  });

  it("a revert stays reverted through two updates", async () => {
    await program.write(source({ directory, files: { ...files, "a.yaml": set("11m") } }));
    expectCode(await up(program), 0);
    await test.person.commit("Revert", { [`${directory}/a.yaml`]: set("10m") });
    expectCode(await up(program), 0);
    expect((await up(program, "--refresh")).code).not.toBe(0);
    expect(await test.repository.show(`${directory}/a.yaml`)).toBe(set("10m"));
    await program.write(source({ directory, files }));
    expectCode(await up(program, "--refresh"), 0);
  });

  it("D07: a folder that is missing is made again", async () => {
    const names = [...Object.keys(files), ".arcflux-inventory"];
    const gone = names.map((name) => [`${directory}/${name}`, null] as const);
    await test.person.commit("Clean up", Object.fromEntries(gone));
    expectCode(await up(program, "--refresh"), 0);
    expect(Object.keys(await filesOf(directory))).toEqual(Object.keys(files));
  });

  it("a history that was rewritten shows as drift", async () => {
    await program.write(source({ directory, files: { ...files, "a.yaml": set("12m") } }));
    const [old = ""] = await test.repository.commits();
    expectCode(await up(program), 0);
    await test.repository.git("update-ref", "refs/heads/main", old);
    expectCode(await program.pulumi("refresh", "--yes", "--skip-preview"), 0);
    const preview = expectCode(await program.pulumi("preview", "--diff"), 0).stdout;
    expect(preview).toContain('~ interval: "10m" => "12m"');
    expect((await up(program)).code).not.toBe(0);
  });
});

describe("files that were there before", () => {
  it("B09: are adopted, refused or written over, as adopt says", async () => {
    const directory = "clusters/before";
    await test.person.commit("By hand", {
      [`${directory}/a.yaml`]: `{kind: Kustomization, spec: {interval: 60m, prune: true}}\n`,
    });
    const before = await commits();
    const program = await TestProgram.create(
      test.lab,
      "adopt",
      source({ directory, files: { "a.yaml": set("1h") } }),
    );
    expectCode(await up(program), 0);
    expectCode(await program.pulumi("preview", "--expect-no-changes"), 0);
    expectCode(await program.pulumi("refresh", "--yes", "--skip-preview"), 0);
    expectCode(await up(program, "--expect-no-changes"), 0);
    // The inventory alone.
    expect(await commits()).toBe(before + 1);

    await test.person.commit("Theirs", { "clusters/theirs/a.yaml": set("5m") });
    const other = { name: "other", directory: "clusters/theirs", files: { "a.yaml": set("1h") } };
    await program.write(source({ directory, files: { "a.yaml": set("1h") } }, other));
    const refused = await up(program);
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain('spec.interval: "5m" -> "1h"');
    await program.write(
      source({ directory, files: { "a.yaml": set("1h") } }, { ...other, more: `adopt: "overwrite"` }),
    );
    expectCode(await up(program), 0);
    expect(await test.repository.show("clusters/theirs/a.yaml")).toBe(set("1h"));
  });

  it("stay when the resource goes, with onDelete: keep", async () => {
    const directory = "clusters/keep";
    const one = { directory, files: { "a.yaml": set("1h") } };
    const program = await TestProgram.create(test.lab, "keep", source(one));
    expectCode(await up(program), 0);
    await program.write(source({ ...one, more: `onDelete: "keep"` }));
    const before = await commits();
    expectCode(await up(program), 0);
    expectCode(await program.pulumi("destroy", "--yes", "--skip-preview"), 0);
    expect(await commits()).toBe(before);
    expect(Object.keys(await filesOf(directory))).toEqual(["a.yaml"]);
  });
});

describe("moves (D06)", () => {
  it("a resource renamed without an alias is refused, and keeps its folder once its name before is told", async () => {
    const directory = "clusters/renamed";
    const one = { directory, files: { "a.yaml": set("1h"), "b.yaml": set("2h") } };
    const program = await TestProgram.create(test.lab, "rename", source({ ...one, name: "old" }));
    expectCode(await up(program), 0);
    await program.write(source({ ...one, name: "new" }));
    const refused = await up(program);
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain("this folder belongs to rename/test/old");
    expect(Object.keys(await filesOf(directory))).toEqual(["a.yaml", "b.yaml"]);

    const files = { "a.yaml": set("3h") };
    await program.write(source({ directory, files, name: "new", more: `formerly: "old"` }));
    expectCode(await up(program), 0);
    expect(await test.repository.show(`${directory}/a.yaml`)).toBe(set("3h"));
    expect(Object.keys(await filesOf(directory))).toEqual(["a.yaml"]);
  });

  it("another folder, and another branch: the files are in the new place, and the old one stays until it is released", async () => {
    await test.repository.git("branch", "next", "main");
    const files = { "a.yaml": set("1h") };
    const program = await TestProgram.create(test.lab, "move", source({ directory: "clusters/here", files }));
    expectCode(await up(program), 0);
    const before = await commits();
    await program.write(source({ directory: "clusters/there", files }));
    const moved = expectCode(await up(program), 0);
    expect(moved.stdout).not.toMatch(/replace/);
    expect(await commits()).toBe(before + 1);
    for (const folder of ["clusters/here", "clusters/there"])
      expect(Object.keys(await filesOf(folder))).toEqual(["a.yaml"]);
    expectCode(await up(program, "--expect-no-changes"), 0);

    const released = `released: ["clusters/here"]`;
    await program.write(source({ directory: "clusters/there", files, more: released }));
    expectCode(await up(program), 0);
    expect(await filesOf("clusters/here")).toEqual({});
    await program.write(source({ directory: "clusters/there", files }));
    expectCode(await up(program, "--expect-no-changes"), 0);

    await program.write(source({ directory: "clusters/there", branch: "next", files }));
    const left = expectCode(await up(program), 0);
    expect(left.stdout).toContain("stay in clusters/there on branch main");
    expect(Object.keys(await filesOf("clusters/there"))).toEqual(["a.yaml"]);
    expect(await test.repository.git("ls-tree", "-r", "--name-only", "next")).toContain(
      "clusters/there/a.yaml",
    );
  });

  it("to another stack, by pulumi state move, changes nothing but whose the folder is", async () => {
    const one = { name: "site", directory: "clusters/moved", files: { "a.yaml": set("1h") } };
    const stays = { name: "stays", directory: "clusters/stays", files: { "a.yaml": set("1h") } };
    const program = await TestProgram.create(test.lab, "state-move", source(one, stays));
    expectCode(await up(program), 0);
    const before = await commits();
    const pulumi = (...args: string[]): Promise<string> =>
      mustRun("pulumi", [...args, "--non-interactive", "--color", "never"], {
        cwd: program.folder,
        env: test.env,
      });
    await pulumi("stack", "init", "second");
    const urn = `urn:pulumi:test::state-move::arcflux-git:index:GitFiles::site`;
    await pulumi("state", "move", "--source", "test", "--dest", "second", "--yes", urn);

    await program.write(source(stays));
    expectCode(await up(program, "--expect-no-changes"), 0);
    await program.write(source(one));
    await pulumi("up", "--yes", "--skip-preview", "--stack", "second");
    expect(await commits()).toBe(before + 1);
    const [tip = ""] = await test.repository.commits();
    expect(await test.repository.changes(tip)).toEqual([]);
    expect(await test.repository.show("clusters/moved/.arcflux-inventory")).toContain(
      "owner state-move/second/site\n",
    );
    await pulumi("up", "--yes", "--skip-preview", "--stack", "second", "--expect-no-changes");
    await program.write(source({ ...one, files: { "a.yaml": set("2h") } }));
    await pulumi("up", "--yes", "--skip-preview", "--stack", "second");
    expect(await commits()).toBe(before + 2);
    expect(await test.repository.show("clusters/moved/a.yaml")).toBe(set("2h"));
  });
});
