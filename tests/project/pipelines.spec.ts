import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { commandFaults } from "../support/commandLines.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const root = join(import.meta.dirname, "../..");
const templates = join(root, "templates/ci");
const script = join(templates, "shared/ci/pull-request.sh");
const files = readdirSync(templates, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

describe("the pipelines", () => {
  it("are YAML, and call commands and options that there are", () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      if (/\.ya?ml$/.test(file)) expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([]);
      const lines = text
        .split("\n")
        .map((line) => line.replace('"${arcflux[@]}"', "arcflux").replace("npx --no-install ", ""));
      expect([file, commandFaults(lines)]).toEqual([file, []]);
    }
    expect(commandFaults(["arcflux diff --nope", "arcflux nope"])).toHaveLength(2);
  });

  it("start nothing for commits of Arcflux, update one at a time, and hand no token to a fork", () => {
    const read = (name: string) => readFileSync(join(templates, name), "utf8");
    const github = read("github/.github/workflows/arcflux-update.yml");
    expect(github).toContain("!contains(github.event.head_commit.message, 'Arcflux-Operation:')");
    expect(github).toMatch(/concurrency:\n {2}group: arcflux-update\n {2}cancel-in-progress: false/);
    const pull = read("github/.github/workflows/arcflux-pull-request.yml");
    const fork = pull.slice(pull.indexOf("  fork:"), pull.indexOf("  review:"));
    expect(fork).not.toMatch(/secrets|token|id-token/);
    const gitlab = read("gitlab/.gitlab-ci.yml");
    expect(gitlab).toMatch(/CI_COMMIT_MESSAGE =~ \/Arcflux-Operation:\/\n {6}when: never/);
    expect(gitlab).toContain("resource_group: arcflux-update");
    const azure = read("azure-pipelines/.azure-pipelines/arcflux-update.yml");
    expect(azure).toContain("lockBehavior: sequential");
  });
});

describe("ci/pull-request.sh", () => {
  const shop = new GitWorkshop();
  let clone: string;
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", clone, ...args], { encoding: "utf8" }).trim();
  const fleet = (sets: string) =>
    `apiVersion: arcflux/v1
repository: { url: "file://${shop.folder}/fleet.git" }
platform: kubernetes
stages: { prod: { branch: main, production: true } }
clusters:
  hall: { kubeconfig: { context: hall }, sets: { ${sets} } }
  store: { stage: prod, kubeconfig: { context: store }, sets: { base: {} } }
`;
  const map = (name: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\n`;
  const save = (path: string, text: string): void => {
    mkdirSync(join(clone, path, ".."), { recursive: true });
    writeFileSync(join(clone, path), text);
  };

  beforeAll(() => {
    const bare = join(shop.folder, "fleet.git");
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", bare]);
    clone = join(shop.folder, "clone");
    execFileSync("git", ["clone", "--quiet", bare, clone]);
    git("config", "user.name", "Pat");
    git("config", "user.email", "pat@example.com");
    git("checkout", "--quiet", "-B", "main");
    save("fleet.yaml", fleet("base: {}"));
    for (const name of ["hall", "store"]) save(`clusters/${name}/sets/base/a.yaml`, map("base"));
    save("clusters/hall/sets/more/a.yaml", map("more"));
    git("add", "--all");
    git("commit", "--quiet", "--message", "The fleet");
    git("push", "--quiet", "origin", "main");
    // What the engine writes for a preview; `npm test` has a spec of its own for a real one.
    const pulumi = join(shop.folder, "pulumi");
    writeFileSync(
      pulumi,
      `#!/bin/sh\n[ "$PULUMI_DEBUG_COMMANDS" = 1 ] || exit 9\nwhile [ "$1" != --event-log ]; do shift; done\necho '{"summaryEvent":{"resourceChanges":{"create":4}}}' > "$2"\n`,
    );
    chmodSync(pulumi, 0o755);
  });
  afterAll(() => shop.remove());

  const review = (env: NodeJS.ProcessEnv = {}): { code: number | null; comment: string; err: string } => {
    const out = join(shop.folder, "comment.md");
    writeFileSync(out, "");
    const { status, stderr } = spawnSync(script, {
      ...{ cwd: clone, encoding: "utf8" },
      env: {
        ...process.env,
        ...{ GITHUB_ACTIONS: "", GITLAB_CI: "", TF_BUILD: "", ARCFLUX_BASE: "main", ARCFLUX_OUT: out },
        ARCFLUX_COMMAND: `${process.execPath} ${join(root, "cli/arcflux.ts")}`,
        PATH: [shop.folder, process.env["PATH"]].join(delimiter),
        ...env,
      },
    });
    return { code: status, comment: readFileSync(out, "utf8"), err: stderr };
  };

  it("says what changes on clusters and what it reaches, and ends with 3 where that is production", () => {
    save("fleet.yaml", fleet("base: {}, more: { dependsOn: [base] }"));
    const hall = review({ ARCFLUX_STACK: "prod" });
    expect(hall.err).not.toContain("rror");
    expect(hall.comment).toContain("## Arcflux: nothing stops this change");
    expect(hall.comment).toContain("Pulumi's resources: 4 to create.");
    expect(hall.comment).toMatch(/What changes on clusters[\s\S]*ConfigMap default\/more/);
    expect(hall.comment).toMatch(/What it reaches[\s\S]*1 cluster is reached/);
    expect(hall.comment).not.toContain("Production is reached");
    expect(hall.code).toBe(0);

    save("clusters/store/sets/base/a.yaml", `${map("base")}data: { a: b }\n`);
    const store = review();
    expect(store.comment).toContain(
      "**Production is reached: whoever may approve it does so in this pipeline",
    );
    expect(store.code).toBe(3);
  });

  it("of a fork looks at the fleet file alone; a fault is at its line, with the way on, and ends with 2", () => {
    save("fleet.yaml", fleet("base: { interval: 5s }"));
    const fork = review({ ARCFLUX_UNTRUSTED: "true" });
    expect(fork.comment).toContain("`fleet.yaml:6` **error**: clusters.hall.sets.base.interval:");
    expect(fork.comment).toContain("write 60s or more");
    expect(fork.comment).not.toContain("<details>");
    expect(fork.code).toBe(2);
  });
});
