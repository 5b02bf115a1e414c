import { execFileSync } from "node:child_process";
import { chmod, lstat, readdir, readFile, stat, symlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { parseTable, planClusters } from "../../authoring/index.ts";
import { withEntries, withItem, withoutEntries } from "../../authoring/editText.ts";
import { init } from "../../cli/init.ts";
import { workFolder } from "./workFolder.ts";

const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git } # ours
arc: { resourceGroup: rg-edge, location: westeurope }
sets:
  base: { path: ./base } # everywhere
groups:
  stores: { match: { kind: store }, sets: { base: {} } }
clusters:
  # The first one of all.
  store-001: { agents: present, labels: { kind: store } } # Oslo
`;

describe("arcflux add and remove", () => {
  const { save, run, path } = workFolder();
  const text = (name = "fleet.yaml") => readFile(join(path(), name), "utf8");

  it("add cluster writes one line, and says what has to run on the device", async () => {
    await save(fleet);
    const { code, out } = await run(
      "add cluster store-002 --agents present --label kind=store --set base --file fleet.yaml",
    );
    expect([code, out]).toEqual([
      0,
      [
        "fleet.yaml: 1 cluster added (store-002).",
        "On the device:",
        "  az connectedk8s connect --name store-002 --resource-group rg-edge --location westeurope",
        "Next: pulumi preview, then pulumi up.",
        "",
      ].join("\n"),
    ]);
    expect(await text()).toBe(
      `${fleet}  store-002: { labels: { kind: store }, agents: present, sets: { base: {} } }\n`,
    );
    const again = await run("add cluster store-002");
    expect([again.code, again.err]).toEqual([
      2,
      'The fleet file has a cluster "store-002" already. Change it there.\n',
    ]);
  });

  it("add cluster --from takes what a table has more than the fleet file, into an included file", async () => {
    await save(fleet);
    await save(
      'name;agents;labels.kind;variables.site_code\nstore-001;present;store;\n"store-002";present;store;0042\nstore-003;present;bar;"a; ""b"""\n',
      "stores.csv",
    );
    const plan = await run("add cluster --from stores.csv --into stores/north.yaml --dry-run");
    expect([plan.code, plan.out]).toEqual([
      0,
      "There already: 1 cluster (store-001).\n2 clusters would be added to stores/north.yaml: store-002, store-003.\n",
    ]);
    const command = "add cluster --from stores.csv --into stores/north.yaml --script connect.sh";
    const { code, out } = await run(command);
    expect([code, out]).toEqual([
      0,
      "There already: 1 cluster (store-001).\nstores/north.yaml: 2 clusters added (store-002, store-003).\n" +
        "On each device: sh connect.sh NAME\nNext: pulumi preview, then pulumi up.\n",
    ]);
    expect(await text()).toBe(`${fleet}\ninclude: [stores/north.yaml]\n`);
    expect(await text("stores/north.yaml")).toBe(
      [
        "# yaml-language-server: $schema=../node_modules/arcflux/fleet.schema.json",
        "",
        "clusters:",
        `  store-002: { agents: present, labels: { kind: store }, variables: { site_code: "0042" } }`,
        `  store-003: { agents: present, labels: { kind: bar }, variables: { site_code: a; "b" } }`,
        "",
      ].join("\n"),
    );
    // As the device runs it, with an az that is not connected.
    await save('#!/bin/sh\n[ "$2" = show ] && exit 3\necho "$@"\n', "az");
    execFileSync("chmod", ["+x", join(path(), "az")]);
    const env = { PATH: `${path()}:${process.env["PATH"]}` };
    expect(execFileSync("sh", ["connect.sh", "store-003"], { cwd: path(), env, encoding: "utf8" })).toBe(
      "connectedk8s connect --name store-003 --resource-group rg-edge --location westeurope\n",
    );
    expect((await run(command)).out).toMatch(/There already: 3 clusters .*\nNothing to add\.\n/);
  });

  it("add cluster --from says everything that is wrong with a table, and changes nothing", async () => {
    await save(fleet);
    await save("name,stag\nx,y\n", "columns.csv");
    const columns = await run("add cluster --from columns.csv");
    expect([columns.code, columns.err]).toEqual([
      2,
      expect.stringMatching(
        /^columns\.csv:1: "stag" is not a column\. .* Did you mean stage\?\nNothing was changed\.\n$/,
      ),
    ]);
    await save("name,labels.kind\nstore-001,bar\n-x,store\nstore-009,store\nstore-009,store\n", "rows.csv");
    const rows = await run("add cluster --from rows.csv");
    expect(rows.code).toBe(2);
    expect(rows.err.split("\n").map((line) => line.slice(0, 40))).toEqual([
      "rows.csv:2: store-001 is in the fleet fi",
      'rows.csv:3: "-x" is not the name of a cl',
      "rows.csv:5: store-009 stands in line 4 a",
      "Nothing was changed.",
      "",
    ]);
    for (const [table, said] of [
      [
        'name,variables.a\nx,"1\ny,2\nz,3\n',
        "t.csv:2: A quote begins here and does not end. Add the other.\n",
      ],
      [
        'name,variables.a\nx,"1\ny,"2"\n',
        't.csv:3: The quote of line 2 ends before the cell does. Write "" for',
      ],
      ["name,agents,name\nx,present,y\n", 't.csv:1: The column "name" is there twice. Take one out.\n'],
    ] as const) {
      const plan = planClusters(parseTable(table), {});
      const lines = plan.faults.map(({ line, message }) => `t.csv:${line}: ${message}\n`);
      expect([lines.length, lines[0]]).toEqual([1, expect.stringContaining(said)]);
    }
    const wrong = await run("add cluster store-009 --stage prod");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/^fleet\.yaml stays as it was/)]);
    await save("name,agents,stage\nstore-009,present,prod\n", "stages.csv");
    for (const into of ["fleet.yaml", "stores/north.yaml"]) {
      const command = `add cluster --from stages.csv --into ${into}`;
      const [trial, real] = [await run(`${command} --dry-run`), await run(command)];
      expect([trial.code, trial.out, trial.err]).toEqual([2, "", real.err]);
      expect(trial.err).toContain('"prod" is not a stage');
    }
    expect([await text(), (await readdir(path())).includes("stores")]).toEqual([fleet, false]);
  });

  it("edits one after the other when many are at it, keeps links and modes, and checks before it writes", async () => {
    await save(fleet, "real/fleet.yaml");
    await chmod(join(path(), "real/fleet.yaml"), 0o600);
    await symlink("real/fleet.yaml", join(path(), "fleet.yaml"));
    // Left behind by a process that is gone.
    await save(`999999999 on ${hostname()}\n`, "real/fleet.yaml.arcflux-lock");
    const all = ["a", "b", "c"].map((name) => `${name} --agents present`).concat("bad --stage none");
    const ended = await Promise.all(all.map((args) => run(`add cluster ${args}`)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 2]);
    expect(Object.keys((parse(await text()) as { clusters: object }).clusters).sort()).toEqual(
      ["a", "b", "c", "store-001"].sort(),
    );
    expect((await lstat(join(path(), "fleet.yaml"))).isSymbolicLink()).toBe(true);
    expect((await stat(join(path(), "real/fleet.yaml"))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(path(), "real"))).toEqual(["fleet.yaml"]);
  });

  it("checks an edit before the file has it, as a pattern of include sees a new file", async () => {
    const included = `${fleet}\ninclude: ["stores/**/*.yaml"]\n`;
    await save(included);
    await save("clusters: { a: { agents: present } }\n", "stores/a.yaml");
    const { ino } = await stat(join(path(), "fleet.yaml"));
    for (const into of ["fleet.yaml", "stores/north/b.yaml"])
      expect((await run(`add cluster b --stage none --into ${into}`)).err).toMatch(/would have errors/);
    expect((await stat(join(path(), "fleet.yaml"))).ino).toBe(ino);
    expect((await run("add cluster b --agents present --into stores/north/b.yaml")).code).toBe(0);
    expect(await text()).toBe(included);
    expect(await text("stores/north/b.yaml")).toMatch(/^# yaml-language-server.*\n\nclusters:\n  b: /);
  });

  it("writes over nothing that is not its own, and changes nothing where it cannot write all", async () => {
    await save(fleet);
    for (const [args, said] of [
      ["--script fleet.yaml", /^fleet\.yaml is there, and is no script of arcflux\. Nothing was changed/],
      ["--script /dev/null/x", /^\/dev\/null\/x cannot be written \(ENOTDIR\)\. Nothing was changed/],
      ["--into .", /cannot be written \(EISDIR\)\. No file was changed/],
      ["--into /dev/null/x", /cannot be written \(ENOTDIR\)\. No file was changed/],
    ] as const) {
      const { code, err } = await run(`add cluster b --agents present ${args}`);
      expect([args, code === 0, err]).toEqual([args, false, expect.stringMatching(said)]);
      expect(err.trim().split("\n")).toHaveLength(1);
    }
    expect([await text(), await readdir(path())]).toEqual([fleet, ["fleet.yaml"]]);
  });

  it("add set and add app lay out a folder that Flux builds, and nothing over what is there", async () => {
    await save(fleet);
    await save("", "repo/.git/HEAD");
    await save("resources: []\n", "repo/apps/signage/kustomization.yaml");
    const set = await run("add set pos --group stores --depends-on base --repo repo");
    expect([set.code, set.err]).toEqual([0, ""]);
    expect(set.out).toContain("  repo/sets/pos/kustomization.yaml\n  repo/sets/pos/namespace.yaml\n");
    const app = await run("add app signage --cluster store-001 --repo repo");
    expect([app.code, app.err]).toEqual([0, ""]);
    expect(await text()).toBe(
      fleet
        .replace("# everywhere\n", "# everywhere\n  pos: { path: ./sets/pos, dependsOn: [ base ] }\n")
        .replace("sets: { base: {} } }", "sets: { base: {}, pos: {} } }")
        .replace("{ kind: store } } #", "{ kind: store }, apps: { signage: {} } } #"),
    );
    expect(await text("repo/apps/signage/kustomization.yaml")).toBe("resources: []\n");
    expect((await run("explain store-001 pos")).out).toContain("./sets/pos");
    const misspelt = await run("add set x --group stors");
    expect([misspelt.code, misspelt.err]).toEqual([
      2,
      'The fleet file has no group "stors". Did you mean stores?\n',
    ]);
    const missing = await run("add app x --group tills --stage prod --cluster edge");
    expect([missing.code, missing.err]).toEqual([
      2,
      'The fleet file has no stage "prod". Write it first, such as stages: { prod: { branch: prod } }.\n' +
        'The fleet file has no group "tills". Write it first, such as groups: { tills: { match: { kind: store } } }.\n' +
        'The fleet file has no cluster "edge". Add it first: arcflux add cluster edge.\n',
    ]);
  });

  it("remove opts one cluster out of what its group brings, and takes out the rest, each confirmed", async () => {
    await save(fleet);
    expect((await run("remove set base --cluster store-001")).code).toBe(0);
    const after = fleet.replace("{ kind: store } } #", "{ kind: store }, sets: { base: null } } #");
    expect(await text()).toBe(`${after}\nremoved: [store-001/base]\n`);
    await save(fleet);
    expect((await run("remove set base")).code).toBe(0);
    expect(parse(await text())).toMatchObject({
      sets: {},
      groups: { stores: { sets: {} } },
      removed: ["base"],
    });
    expect(await text()).toContain("# Oslo");
  });

  it("remove takes a cluster out in two steps, as its protection wants it", async () => {
    await save(fleet);
    const first = await run("remove cluster store-001");
    expect([first.code, first.out]).toEqual([
      0,
      "fleet.yaml: store-001 is retired. Run pulumi up, which takes its protection off; then arcflux remove cluster store-001 once more.\n",
    ]);
    expect(await text()).toContain("labels: { kind: store }, lifecycle: retired } # Oslo");
    expect((await run("remove cluster store-001")).code).toBe(0);
    expect(await text()).toMatch(/clusters: \{\}.*\n\nremoved: \[\{ cluster: store-001 \}\]\n$/s);
  });

  it("remove takes along what was confirmed of a cluster that goes, in every file and form", async () => {
    const other = "clusters: { store-002: { agents: present } }\n";
    await save(`${fleet}\ninclude: [north.yaml]\n`);
    await save(
      `removed:\n  # ours\n  - app: till\n    cluster: store-001\n  - promo\n${other}`,
      "north.yaml",
    );
    expect((await run("remove set base --cluster store-001")).code).toBe(0);
    expect((await run("remove cluster store-001")).code).toBe(0);
    const { code, err } = await run("remove cluster store-001");
    expect([code, err]).toEqual([0, ""]);
    expect((parse(await text()) as { removed: unknown }).removed).toEqual([{ cluster: "store-001" }]);
    expect(await text("north.yaml")).toBe(`removed:\n  # ours\n  - promo\n${other}`);
  });

  it("remove confirms once what is confirmed already", async () => {
    // Where only some clusters have it no more, it may be there already.
    await save(`${fleet}  store-002: { agents: present }\nremoved: [ "base" ]\n`);
    const { code, err } = await run("remove set base");
    expect([code, err]).toEqual([0, ""]);
    expect((parse(await text()) as { removed: unknown }).removed).toEqual(["base"]);
  });
});

describe("arcflux init", () => {
  const { save, run, path } = workFolder();
  const url = "https://git.example.com/edge/fleet.git";

  it("lays out a project that has nothing to find, and writes over nothing", async () => {
    await save('{ "dependencies": { "arcflux": "file:x.tgz" } }', "edge/package.json");
    const { code, out } = await run(
      `init edge --yes --repository ${url} --ci gitlab --resource-group rg-north`,
    );
    expect([code, out.split("Next:")[1]]).toEqual([
      0,
      "\n  cd edge\n  npm install\n  npx arcflux add cluster store-001\n",
    ]);
    const read = (name: string) => readFile(join(path(), "edge", name), "utf8");
    expect(JSON.parse(await read("package.json"))).toEqual({
      name: "edge",
      private: true,
      type: "module",
      main: "index.ts",
      dependencies: { arcflux: "file:x.tgz" },
    });
    expect(await read("Pulumi.yaml")).toMatch(/^name: edge\n(?!.*template)/s);
    expect(await read("fleet.yaml")).toContain(
      "arc: { resourceGroup: rg-north, location: westeurope } # where",
    );
    expect((await stat(join(path(), "edge/ci/pull-request.sh"))).mode & 0o111).not.toBe(0);
    expect((await run("validate edge/fleet.yaml")).code).toBe(0);
    expect(
      (await run(`init edge --yes --repository ${url} --ci gitlab --resource-group rg-north`)).code,
    ).toBe(0);
    const other = await run(`init edge --yes --repository ${url} --platform kubernetes`);
    expect([other.code, other.err]).toEqual([
      2,
      "Nothing is written:\n  fleet.yaml is there already\nMove it away, or name another folder.\n",
    ]);
  });

  it.each(["kubernetes", "none"])(
    "lays out one of platform %s, which takes its first cluster",
    async (platform) => {
      expect((await run(`init . --yes --repository ${url} --platform ${platform}`)).code).toBe(0);
      const { code, err } = await run("add cluster a --context a");
      expect([code, err]).toEqual([0, ""]);
      const fleet = parse(await readFile(join(path(), "fleet.yaml"), "utf8")) as Record<string, unknown>;
      expect(fleet).toMatchObject({ platform, clusters: { a: { kubeconfig: { context: "a" } } } });
      expect(fleet).not.toHaveProperty("arc");
    },
  );

  /** Runs it with somebody who gives these answers, each once, and gives what was asked and said. */
  const asked = async (answers: readonly string[], folder = join(path(), "asked")) => {
    const [left, questions, said] = [[...answers], [] as string[], [] as string[]];
    const terminal = {
      out: () => undefined,
      err: (line: string) => void said.push(line),
      paint: (_: string, line: string) => line,
    };
    const code = await init(folder, {}, terminal, (question, otherwise) => {
      questions.push(question);
      return Promise.resolve(left.shift() || otherwise);
    });
    return { code, questions, said };
  };

  it("asks again where an answer is none, and ends with what is allowed", async () => {
    const { code, questions, said } = await asked([
      "nowhere",
      url,
      "azure",
      "arc",
      "rg x",
      "rg-x",
      "west!",
      "",
      "jenkins",
      "github",
    ]);
    const platform = "Platform (arc, kubernetes, none)";
    const pipelines = "Pipelines for (none, github, gitlab, azure-pipelines)";
    const repository = "URL of the GitOps repository, without credentials";
    const [group, region] = ["Azure resource group", "Azure region"];
    expect([code, questions]).toEqual([
      0,
      [repository, platform, group, region, pipelines].flatMap((question) => [question, question]),
    ]);
    expect(said).toEqual([
      expect.stringMatching(/^The URL of the repository is not a repository URL; write https:.*\.\n$/),
      '"azure" is not allowed; write one of arc, kubernetes, none.\n',
      expect.stringMatching(/^"rg x" is not allowed; a resource group has .*\.\n$/),
      '"west!" is not allowed; a location is an Azure region such as westeurope.\n',
      '"jenkins" is not allowed; write one of none, github, gitlab, azure-pipelines.\n',
    ]);
    expect(await readFile(join(path(), "asked/fleet.yaml"), "utf8")).toContain("resourceGroup: rg-x,");
    const page = await readFile(join(import.meta.dirname, "../../docs/guide/install.md"), "utf8");
    for (const question of questions) expect(page).toContain(`\n${question}`);

    const never = await asked([url, "azure", "azure", "azure"], join(path(), "never"));
    expect([never.code, never.said.at(-1)]).toEqual([
      2,
      '"azure" is not allowed; write one of arc, kubernetes, none. Give it with --platform.\n',
    ]);
    const given = await run("init never --yes");
    expect([given.code, given.err]).toEqual([
      2,
      expect.stringMatching(/^The URL of the repository is empty; .*\. Give it with --repository URL\.\n$/),
    ]);
    await expect(stat(join(path(), "never"))).rejects.toThrow("ENOENT");
  });

  it("lays pipelines beside a project that was changed, and asks nothing for them", async () => {
    expect((await run(`init . --yes --repository ${url}`)).code).toBe(0);
    expect((await run("add cluster a --context a")).code).toBe(0);
    const manifest =
      '{ "type": "module", "name": "mine", "main": "index.ts", "private": true, "dependencies": { "arcflux": "1" } }';
    const mine = { "index.ts": "// mine\n", "package.json": manifest };
    for (const [name, content] of Object.entries(mine)) await save(content, name);
    const read = (name: string) => readFile(join(path(), name), "utf8");
    const fleet = await read("fleet.yaml");
    const { code, out, err } = await run("init --ci gitlab");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("  .gitlab-ci.yml\n");
    expect(out).toMatch(/\nThere already, and left alone: .*fleet\.yaml.*index\.ts.*package\.json/);
    expect(await read(".gitlab-ci.yml")).toContain("arcflux");
    expect([await read("fleet.yaml"), await read("index.ts"), await read("package.json")]).toEqual([
      fleet,
      ...Object.values(mine),
    ]);
    await save("# mine\n", ".gitlab-ci.yml");
    const again = await run("init --ci gitlab");
    expect([again.code, again.err]).toEqual([
      2,
      "Nothing is written:\n  .gitlab-ci.yml is there already\nMove it away, or name another folder.\n",
    ]);
  });

  it("takes a second cluster once both have a context, and says which lacks one", async () => {
    expect((await run(`init . --yes --repository ${url} --platform kubernetes`)).code).toBe(0);
    expect((await run("add cluster a")).code).toBe(0);
    const other =
      "a of the fleet file has no context, which --context NAME gives to a new one alone: write kubeconfig: { context: NAME } there.\n";
    const own = "b has no context: give --context NAME, or in a table the column context.\n";
    for (const [args, said] of [
      ["", own + other],
      ["--context b", other],
    ] as const) {
      const { code, err } = await run(`add cluster b ${args}`);
      expect([code, err.slice(err.indexOf("\n") + 1)]).toEqual([2, said]);
    }
  });

  it("says what it lacks where it cannot ask, and keeps credentials out of the file", async () => {
    const asked = await run("init edge");
    expect([asked.code, asked.err]).toEqual([
      2,
      "There is no terminal to ask on. Give --yes with --repository URL.\n",
    ]);
    const secret = await run("init edge --yes --repository https://me:s3cret@git.example.com/f.git");
    expect([secret.code, secret.err]).toEqual([2, expect.stringMatching(/has credentials in it/)]);
    expect(secret.err).not.toContain("s3cret");
    await save("", "file");
    const file = await run(`init file --yes --repository ${url}`);
    expect([file.code, file.err]).toEqual([
      2,
      "file is not a folder. Nothing is written; name another folder.\n",
    ]);
    await expect(stat(join(path(), "edge"))).rejects.toThrow("ENOENT");
  });
});

describe("an edit of a fleet file", () => {
  const value = fc.constantFrom(
    "{}",
    "{ a: 1 }",
    "\n    a: 1 # deep\n    b: [x, y]",
    "{ a: { b: {} } } # end",
    "x",
  );
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d-1", "0042"), { minLength: 1, maxLength: 5 });
  const files = fc.record({
    names,
    values: fc.array(value, { minLength: 5, maxLength: 5 }),
    gap: fc.boolean(),
    end: fc.boolean(),
  });
  const shown = ({
    names: all,
    values,
    gap,
    end,
  }: typeof files extends fc.Arbitrary<infer T> ? T : never): string =>
    [
      "top: 1 # one",
      "clusters: # all",
      ...all.flatMap((name, index) => [...(gap ? ["", "  # above"] : []), `  "${name}": ${values[index]}`]),
      ...(end ? ["", "# below", "last: { x: 1 }"] : []),
      "",
    ].join("\n");

  it("takes an entry out of braces over several lines, and leaves the comments of the others", () => {
    const text = "clusters: {\n  # north\n  a: {}, # Oslo\n  b: { x: 1 }, c: {}, # both\n  d: {}\n}\n";
    const paths = (...names: string[]) => names.map((name) => ["clusters", name]);
    expect(withoutEntries(text, paths("b", "d"))).toBe(
      "clusters: {\n  # north\n  a: {}, # Oslo\n  c: {}, # both\n}\n",
    );
    const none = withoutEntries(text, paths("a", "b", "c", "d"));
    expect([parse(none), none]).toEqual([{ clusters: {} }, expect.stringContaining("# north")]);
    expect(() => withoutEntries("c: { a: 1 # x\n  , b: 2 }\n", [["c", "a"]])).toThrow(/edit it by hand/);
  });

  it("adds and takes out entries, and leaves every other byte", () => {
    fc.assert(
      fc.property(files, fc.nat(4), (file, nth) => {
        const text = shown(file);
        const added = withEntries(text, "clusters", [["new", { stage: "prod", n: "01" }]]);
        const before = parse(text) as { clusters: Record<string, unknown> };
        expect(parse(added)).toEqual({
          ...before,
          clusters: { ...before.clusters, new: { stage: "prod", n: "01" } },
        });
        expect(withoutEntries(added, [["clusters", "new"]])).toBe(text);
        const name = file.names[nth % file.names.length] ?? "";
        const left = withoutEntries(text, [["clusters", name]]);
        const others = Object.fromEntries(Object.entries(before.clusters).filter(([key]) => key !== name));
        expect(parse(left)).toEqual({ ...before, clusters: others });
        const lines = left
          .split("\n")
          .filter((line) => line !== "clusters: {} # all" && line !== "clusters: {}");
        for (const line of lines) expect(text.split("\n")).toContain(line);
        expect((parse(withItem(text, "removed", name)) as { removed: unknown[] }).removed).toHaveLength(1);
      }),
      { numRuns: Number(process.env["ARCFLUX_RUNS"] ?? 200) },
    );
  });
});
