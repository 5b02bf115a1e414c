import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import semver from "semver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import packageFile from "../../package.json" with { type: "json" };
import { versionNote } from "../../program/writtenBy.ts";
import { placeholders, releases, renderedSums } from "../../scripts/keep-release.ts";
import { expectCode, startTestLab, type TestLab } from "../support/lab.ts";

const root = join(import.meta.dirname, "../..");
const versions = readdirSync(releases, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort(semver.compare);
const last = versions.at(-1) ?? "";
const kept = (version: string, name: string): string => readFileSync(join(releases, version, name), "utf8");

const renew =
  "Until a version is published: node scripts/keep-release.ts. After that, say it in CHANGELOG.md under **Renders differently**.";

/** What CHANGELOG.md says of versions after the last one that is kept. */
function sinceTheLast(): string {
  const sections = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m).slice(1);
  return sections
    .slice(
      0,
      sections.findIndex((section) => section.startsWith(`${last}`)),
    )
    .join("");
}

describe("versions", () => {
  it("have one number in the packages and the template, and a section in CHANGELOG.md", () => {
    const { version } = packageFile;
    const read = (path: string) => readFileSync(join(root, path), "utf8");
    expect((JSON.parse(read("policy/package.json")) as { version: string }).version).toBe(version);
    const { dependencies } = JSON.parse(read("templates/project/package.json")) as {
      dependencies: Record<string, string>;
    };
    expect(dependencies["arcflux"]).toBe(`^${version}`);
    expect(read("CHANGELOG.md")).toContain(`\n## ${version}\n`);
  });
});

describe("what the examples of the last release render to", () => {
  it("is what they rendered to, or CHANGELOG.md names the example", async () => {
    const before = JSON.parse(kept(last, "rendered.json")) as Record<string, string>;
    const now = await renderedSums(join(releases, last, "examples"));
    const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
    const changed = [...paths].filter((path) => before[path] !== now[path]);
    const said = sinceTheLast().split("**Renders differently**")[1] ?? "";
    const unsaid = changed.filter((path) => !said.includes(`${path.split(".yaml: ")[0]}`));
    expect(unsaid, renew).toEqual([]);
  });
});

describe.each(versions)("a stack of release %s", (version) => {
  let test: TestLab;
  let stack: LabStack;
  const fleet = readFileSync(join(releases, "fleet.yaml"), "utf8");

  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    const input = kept(version, "repository.txt");
    execFileSync("git", ["-C", test.lab.gitDir, "fast-import", "--quiet", "--force"], {
      input,
      env: test.env,
    });
    stack = await LabStack.init(test.lab, "kept", fleet);
    await importState((state) => state);
  });
  afterAll(() => test.stop());

  async function importState(edit: (state: string) => string): Promise<void> {
    const state = placeholders(test.lab.repositoryUrl).reduce(
      (text, [here, there]) => text.replaceAll(there, here),
      kept(version, "state.json"),
    );
    const file = join(test.lab.dir, "state.json");
    await writeFile(file, edit(state));
    await stack.must(["stack", "import", "--stack", "kept", "--file", file]);
  }

  it("is taken over: nothing is changed, replaced or deleted, and nothing is committed", async () => {
    const before = await test.repository.commits();
    const { stdout } = expectCode(await stack.operate("preview"), 0);
    expect(stdout).not.toMatch(/\d+ to (update|delete|replace)/);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    if (version === last) expect(await test.repository.commits()).toEqual(before);
  });

  it("says that the version and the fleet file have changed, where both have", async () => {
    await importState((state) => state.replace(`"version": "${version}"\n`, `"version": "0.0.1"\n`));
    await stack.writeFleet(fleet.replace("site_code: 0042", "site_code: 0043"));
    const { stdout } = expectCode(await stack.operate("preview"), 0);
    expect(stdout).toContain(
      `Arcflux is ${packageFile.version} and was 0.0.1, and the fleet file changed too.`,
    );
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(await test.repository.git("show", "main:clusters/store-001/flux/infrastructure.yaml")).toContain(
      "0043",
    );
  });
});

describe("why files change", () => {
  const now = { version: "0.2.0", fleet: "a" };
  it.each([
    ["the same version", { version: "0.2.0", fleet: "b" }, undefined],
    ["a stack that nothing is known of", undefined, undefined],
    [
      "another version alone",
      { version: "0.1.0", fleet: "a" },
      /^The fleet file is as it was: Arcflux 0\.2\.0 writes/,
    ],
    ["both", { version: "0.1.0", fleet: "b" }, /fleet file changed too/],
  ])("%s", (_, before, said) => {
    const note = versionNote(before, now);
    if (said === undefined) expect(note).toBeUndefined();
    else expect(note).toMatch(said);
  });
});
