import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { formatFinding } from "../../fleet/finding.ts";
import { readFleet } from "../../fleet/readFleet.ts";

const main = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
`;
const folders: string[] = [];

/** Loads fleet.yaml out of files on disk; findings have paths from the folder. */
async function load(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "arcflux-include-"));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { fleet, findings } = await readFleet(join(folder, "fleet.yaml"));
  return { fleet, lines: findings.map(formatFinding).map((line) => line.replaceAll(`${folder}/`, "")) };
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe("included files", () => {
  it("add clusters, groups, sets and the like, relative to the fleet file", async () => {
    const { fleet, lines } = await load({
      "fleet.yaml": `${main}include: [shared.yaml, "stores/**/*.yaml"]\nclusters: { hub: { sets: { pos: {} } } }\n`,
      "shared.yaml": `sets: { pos: { path: ./apps/pos, source: apps } }
sources: { apps: { kind: GitRepository, url: self } }
windows: { nightly: { open: 0 1 * * *, close: 0 4 * * * } }
stages: { prod: { branch: prod } }
groups: { stores: { match: { kind: store }, sets: { pos: { window: nightly } } } }
alerts: { ops: { match: { kind: store }, provider: { type: slack } } }
`,
      "stores/b.yaml": "clusters: { store-b: { labels: { kind: store }, variables: { code: 007 } } }\n",
      "stores/south/a.yaml": "apiVersion: arcflux/v1\nclusters: { store-a: { stage: prod } }\n",
      "stores/readme.md": "not YAML: [",
    });
    expect(lines).toEqual([]);
    expect(fleet?.clusters.map(({ name, follows }) => [name, follows])).toEqual([
      ["hub", "main"],
      ["store-b", "main"],
      ["store-a", "prod"],
    ]);
    expect(fleet?.clusters[1]?.sets[0]).toMatchObject({
      sourceRef: { kind: "GitRepository", name: "apps" },
      spec: { path: "./apps/pos", postBuild: { substitute: { code: "007" } } },
    });
    expect(fleet?.clusters[1]?.alerts).toHaveLength(1);
  });

  it("are named in their findings, be it a value, a key or YAML itself", async () => {
    const { fleet, lines } = await load({
      "fleet.yaml": `${main}include: ["*.yaml"]\nclusters: {}\n`,
      "a.yaml": "clusters:\n  store-a: { sets: { pos: { interval: 5 } } }\n",
      "b.yaml":
        "clusters:\n  store-b: { sets: { pos: { dependsOn: [db] } } }\nsets: { web: { intervall: 1m } }\n",
    });
    expect(fleet).toBeUndefined();
    expect(lines.map((line) => line.split(/[;,]/)[0])).toEqual([
      "a.yaml:2:39: clusters.store-a.sets.pos.interval: 5 is not allowed",
      'b.yaml:2:41: clusters.store-b.sets.pos.dependsOn[0]: depends on "db"',
      "b.yaml:3:16: sets.web.intervall: unknown key",
    ]);
    const broken = await load({
      "fleet.yaml": `${main}include: [a.yaml]\nclusters: {}\n`,
      "a.yaml": "clusters: {\n",
    });
    expect(broken.lines).toEqual([expect.stringMatching(/^a\.yaml:\d+:\d+: is not YAML/)]);
  });

  it("are told of with everything else, although one of them or the fleet file cannot be read", async () => {
    const files = {
      "fleet.yaml": `${main}include: ["*.yaml"]\nsets: { web: { source: apps, prune: 1 } }\nclusters: { hub: { stage: prod } }\n`,
      "a.yaml": "stages: { prod: {} }\nsources:\n  apps: {\n",
      "b.yaml": `clusters:
  store-b:
    variables: { key: AKIAABCDEFGHIJKLMNOP }
    sets: { pos: { window: nightly, dependsOn: [db], intervall: 1m }, db-: {}, web: null }
removed: [pos, promo]
`,
    };
    const told = [
      expect.stringMatching(/^a\.yaml:\d+:\d+: is not YAML/),
      expect.stringMatching(
        /^b\.yaml:3:23: clusters\.store-b\.variables\.key: is an AWS access key in plain/,
      ),
      expect.stringMatching(/^b\.yaml:4:54: clusters\.store-b\.sets\.pos\.intervall: unknown key/),
      expect.stringMatching(/^b\.yaml:4:71: clusters\.store-b\.sets\.db-: "db-" is not allowed/),
      expect.stringMatching(/^fleet\.yaml:6:37: sets\.web\.prune: 1 is not allowed/),
    ];
    const { fleet, lines } = await load(files);
    expect(fleet).toBeUndefined();
    expect(lines).toEqual(told);

    // The fleet file itself is cut off after `include` and the sets: what it lacks may have stood there.
    const cut = files["fleet.yaml"].replace("clusters: { hub", "flux: {}\nclusters: { { hub");
    const broken = await load({ ...files, "fleet.yaml": cut });
    expect(broken.fleet).toBeUndefined();
    expect(broken.lines.filter((line) => !/is not YAML/.test(line))).toEqual(told.slice(1));
    expect(broken.lines.filter((line) => /^fleet\.yaml:\d+:\d+: is not YAML/.test(line))).not.toEqual([]);

    // One that is not there may have held what others refer to.
    const missing = await load({
      "fleet.yaml": `${main}include: [nope.yaml]\nclusters: { hub: { stage: prod, sets: { pos: { dependsOn: [db] } } } }\n`,
    });
    expect(missing.lines).toEqual([expect.stringMatching(/^nope\.yaml:1:1: does not exist/)]);
  });

  it("add to the list of removed sets, and their entries are found where they stand", async () => {
    const { fleet, lines } = await load({
      "fleet.yaml": `${main}include: ["*.yaml"]\nremoved: [pos]\nclusters: { hub: { sets: { web: {} } } }\n`,
      "a.yaml": "removed:\n  - hub/till\n  - hub/web\n",
      "b.yaml": "removed: { pos: {} }\n",
      "c.yaml": "removed:\n",
    });
    expect(fleet).toBeUndefined();
    expect(lines).toEqual([
      "a.yaml:3:5: removed[1]: says that the set web is removed, and hub still has it; take the set out, or drop the entry",
      "b.yaml:1:10: removed: a map is not allowed; write a list",
    ]);
  });

  it("may not state what is there already, and both places are named", async () => {
    const { lines } = await load({
      "fleet.yaml": `${main}include: [a.yaml, b.yaml]\nclusters:\n  hub: {}\n`,
      "a.yaml": "clusters:\n  hub: {}\n  store: {}\n",
      "b.yaml": "clusters: { store: {} }\n",
    });
    expect(lines).toEqual([
      "a.yaml:2:3: clusters.hub: is in fleet.yaml:7:3 already; keep one of them",
      "b.yaml:1:13: clusters.store: is in a.yaml:3:3 already; keep one of them",
    ]);
  });

  it("hold nothing that belongs to the fleet file, and include nothing themselves", async () => {
    const { lines } = await load({
      "fleet.yaml": `${main}include: [a.yaml]\nclusters: { hub: {} }\n`,
      "a.yaml": "include: [b.yaml]\nrepository: {}\nclustres: {}\nsets: []\napiVersion: v2\n",
    });
    expect(lines.map((line) => line.split(";")[0])).toEqual([
      "a.yaml:1:1: include: is in an included file",
      "a.yaml:2:1: repository: unknown key in an included file",
      "a.yaml:3:1: clustres: unknown key in an included file",
      "a.yaml:4:7: sets: a list is not allowed",
      "a.yaml:5:13: apiVersion: is not arcflux/v1, the version of the fleet file",
    ]);
  });

  it("that are not there are errors, and so are patterns without a file", async () => {
    const { lines } = await load({
      "fleet.yaml": `${main}include: [nope.yaml, "stores/*.yaml", 5]\nclusters: { hub: {} }\n`,
    });
    expect(lines).toEqual([
      expect.stringMatching(/^fleet\.yaml:5:22: include\[1\]: "stores\/\*\.yaml" matches no file, /),
      expect.stringMatching(/^fleet\.yaml:5:39: include\[2\]: 5 is not allowed/),
      expect.stringMatching(/^nope\.yaml:1:1: does not exist/),
    ]);
  });

  it("are in the folder of the fleet file, and others are not read", async () => {
    const outside = mkdtempSync(join(tmpdir(), "arcflux-outside-"));
    folders.push(outside);
    writeFileSync(join(outside, "secret.yaml"), "hunter2: { broken\n");
    const inside = mkdtempSync(join(tmpdir(), "arcflux-include-"));
    folders.push(inside);
    mkdirSync(join(inside, "sub"));
    symlinkSync(outside, join(inside, "sub", "link"));
    symlinkSync(join(outside, "secret.yaml"), join(inside, "sub", "one.yaml"));
    const away = `../${basename(outside)}`;
    const patterns = [
      join(outside, "secret.yaml"),
      join(outside, "*.yaml"),
      `${away}/secret.yaml`,
      `sub/../${away}/*.yaml`,
      `*/../${away}/secret.yaml`,
      `**/${away}/*.yaml`,
      "sub/link/secret.yaml",
      "sub/link/*.yaml",
      "*/link/**",
      "sub/*.yaml",
      "sub/one.yaml",
    ];
    for (const pattern of patterns) {
      writeFileSync(
        join(inside, "fleet.yaml"),
        `${main}include: [${JSON.stringify(pattern)}]\nclusters: { hub: {} }\n`,
      );
      const { fleet, findings } = await readFleet(join(inside, "fleet.yaml"));
      expect(fleet).toBeUndefined();
      expect(findings, pattern).toHaveLength(1);
      expect(findings[0], pattern).toMatchObject({ severity: "error", path: "include[0]" });
      expect(findings[0]!.message, pattern).toMatch(/ leads out of the folder of the fleet file/);
    }
  });

  it("are named on one line, whatever they are called", async () => {
    const { lines } = await load({
      "fleet.yaml": `${main}include: ["*.yaml"]\nclusters: { hub: {} }\n`,
      "a\n::b\u202e.yaml": "sets: 5\n",
    });
    expect(lines).toEqual(["a\\u000a::b\\u202e.yaml:1:7: sets: 5 is not allowed; write a map"]);
  });

  it("that lead nowhere are told, by name or by pattern", async () => {
    const folder = mkdtempSync(join(tmpdir(), "arcflux-include-"));
    folders.push(folder);
    symlinkSync("loop.yaml", join(folder, "loop.yaml"));
    for (const pattern of ["loop.yaml", "lo*.yaml", "**"]) {
      writeFileSync(
        join(folder, "fleet.yaml"),
        `${main}include: [${JSON.stringify(pattern)}]\nclusters: { hub: {} }\n`,
      );
      const { fleet, findings } = await readFleet(join(folder, "fleet.yaml"));
      expect(fleet).toBeUndefined();
      expect(findings, pattern).toMatchObject([
        { file: join(folder, "loop.yaml"), message: "cannot be read (ELOOP); check its permissions" },
      ]);
    }
  });

  it("may be named from a folder that is itself a link", async () => {
    const { fleet } = await load({
      "fleet.yaml": `${main}include: [a.yaml]\n`,
      "a.yaml": "clusters: { hub: {} }\n",
    });
    expect(fleet?.clusters).toHaveLength(1);
    const link = `${folders[0]!}-link`;
    symlinkSync(folders[0]!, link);
    folders.push(link);
    const linked = await readFleet(join(link, "fleet.yaml"));
    expect(linked.findings).toEqual([]);
  });

  it("are found by * and ** alone; a pattern with another sign is a fault", async () => {
    for (const [pattern, sign] of [
      ["store-?.yaml", "?"],
      ["store-[ab].yaml", "["],
      ["{a,b}.yaml", "{"],
      ["a].yaml", "]"],
      ["a}/*.yaml", "}"],
    ]) {
      const { lines } = await load({
        "fleet.yaml": `${main}include: ["${pattern}"]\nclusters: { hub: {} }\n`,
        "store-a.yaml": "clusters: { a: {} }\n",
      });
      expect(lines).toEqual([
        `fleet.yaml:5:11: include[0]: "${pattern}" has ${sign}, which stands for nothing; only * and ** are known, so write those`,
      ]);
    }
  });

  it("are a list; what a pattern alone would bring is not said to be missing beside", async () => {
    const { lines } = await load({
      "fleet.yaml": `${main}include: stores/*.yaml\n`,
      "stores/a.yaml": "clusters: { a: {} }\n",
    });
    expect(lines).toEqual([`fleet.yaml:5:10: include: "stores/*.yaml" is not allowed; write a list`]);
  });

  it("are others than the fleet file", async () => {
    const { lines } = await load({ "fleet.yaml": `${main}include: [./fleet.yaml]\nclusters: { hub: {} }\n` });
    expect(lines).toEqual([
      'fleet.yaml:5:11: include[0]: "./fleet.yaml" is the fleet file, which would include itself; drop it',
    ]);
  });

  it("are found by stars within a name and across folders, but not in hidden ones", async () => {
    const cluster = (name: string) => `clusters: { ${name}: {} }\n`;
    const files = {
      "north/store-1.yaml": cluster("a"),
      "north/store-2.yaml": cluster("b"),
      "north/depot-1.yaml": cluster("c"),
      "north/deep/er/store-3.yaml": cluster("d"),
      "north/.hidden/store-4.yaml": cluster("e"),
      "north/.store-5.yaml": cluster("f"),
      "north/store-6.yaml/store-7.yml": cluster("g"),
      "south/store-1.yaml": cluster("h"),
      "north/aba.yaml": cluster("i"),
    };
    const names = async (...patterns: string[]) => {
      const { fleet, lines } = await load({
        "fleet.yaml": `${main}include: ${JSON.stringify(patterns)}\nclusters: { hub: {} }\n`,
        ...files,
      });
      return [...lines, ...(fleet?.clusters.map(({ name }) => name).slice(1) ?? [])].join(" ");
    };
    expect(await names("north/store-*.yaml")).toBe("a b");
    expect(await names("north/*-1*.y*l")).toBe("c a");
    expect(await names("*/store-1.yaml")).toBe("a h");
    expect(await names("**/store-*.yaml")).toBe("d a b h");
    expect(await names("./north/../south/*")).toBe("h");
    expect(await names("north/**/**/store-3.yaml")).toBe("d");
    expect(await names("north/**")).toBe("i d c a b g");
    expect(await names("north/.*.yaml")).toBe("f");
    expect(await names("north/ab*ba.yaml")).toContain("matches no file");
    expect(await names("nowhere/*/x", "south/**/*.yml")).toMatch(/matches no file.*matches no file/);
  });

  it("cannot be looked for where the fleet file has no name", async () => {
    const { fleet, findings } = await readFleet("");
    expect(fleet).toBeUndefined();
    expect(findings.map(formatFinding)).toEqual([
      "the path of the fleet file is empty; name a file, such as fleet.yaml",
    ]);
  });

  it("are found without a word of Node's about experiments", async () => {
    await load({ "fleet.yaml": `${main}include: ["*.yaml"]\n`, "a.yaml": "clusters: { hub: {} }\n" });
    const folder = folders[0]!;
    const script = `import { readFleet } from ${JSON.stringify(join(import.meta.dirname, "../../fleet/readFleet.ts"))};
import fs from "node:fs";
fs.globSync = undefined;
(await import("node:module")).syncBuiltinESMExports();
console.log((await readFleet(${JSON.stringify(join(folder, "fleet.yaml"))})).findings.length);`;
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(ran).toMatchObject({ stderr: "", stdout: "0\n" });
  });

  it("are read once, and the fleet file never as one of them", async () => {
    const { lines, fleet } = await load({
      "fleet.yaml": `${main}include: ["*.yaml", a.yaml]\n`,
      "a.yaml": "clusters: { hub: {} }\n",
    });
    expect(lines).toEqual([]);
    expect(fleet?.clusters).toHaveLength(1);
  });
});
