import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { workFolder } from "./workFolder.ts";

const { path, save, run } = workFolder();

const fleet = (sets: string, top = ""): string => `apiVersion: arcflux/v1
${top}
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
clusters:
  edge-0: { agents: present, variables: { site: s-42 }, sets: ${sets} }
  edge-1: { agents: present, variables: { site: s-42 }, sets: ${sets} }
`;

const web = (image: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web, namespace: shop }\nspec: { template: { spec: { containers: [{ name: web, image: "${image}" }] } } }\n`;

const secret =
  "apiVersion: v1\nkind: Secret\nmetadata: { name: key, namespace: shop }\nstringData: { token: kept-to-itself }\n";

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(path(), file)), { recursive: true });
    await writeFile(join(path(), file), text);
  }
}

const git = (...args: string[]): void => {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...identity, ...args], { cwd: path(), stdio: "pipe" });
};

// Each command is a process that starts the engine anew, which takes its time on a busy machine.
describe("arcflux build and diff", () => {
  it("print what Flux applies, with variables put in and secrets hidden", async () => {
    await save(fleet("{ pos: { path: ./apps/pos } }"));
    await put({ "apps/pos/web.yaml": web("nginx:${site}"), "apps/pos/key.yaml": secret });
    const judged = await run("build edge-0 pos --repo .");
    expect([judged.code, judged.err]).toEqual([
      0,
      expect.stringMatching(/Secret shop\/key .* \[plain-secret\]$/m),
    ]);
    const { code, out, err } = await run("build edge-0 pos --repo . --variables --ignore plain-secret");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain('# set pos, variables: arcflux_cluster="edge-0" site="s-42"');
    expect(out).toContain("# set pos, from apps/pos/web.yaml");
    expect(out).toContain('image: "nginx:s-42"');
    expect(out).not.toContain("kept-to-itself");

    const missing = await run("build edge-0 poss --repo .");
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("Did you mean pos?")]);

    await put({ "apps/pos/values.yaml": "replicas: 3\n" });
    // One verdict and one exit code, whichever command is asked.
    const commands = ["validate --repo .", "build edge-0 --repo .", "diff --repo ."];
    const broken = await Promise.all(commands.map((command) => run(`${command} --ignore plain-secret`)));
    const verdicts = broken.map(({ err }) =>
      err.split("\n").filter((line) => line.startsWith("fleet.yaml:")),
    );
    expect(verdicts[0]).toEqual([expect.stringMatching(/apps\/pos\/values.yaml .* \[build\]$/)]);
    expect(broken.map(({ code }, at) => [code, verdicts[at]])).toEqual(commands.map(() => [2, verdicts[0]]));
    expect(broken[1]!.err).toMatch(/^set pos does not build: failed to decode Kubernetes YAML/m);
  });

  it("say what an update and a changed fleet file do, once for clusters that are alike", async () => {
    const quiet = "ignore: [unused-variable]";
    await save(fleet("{ pos: { path: ./apps/pos }, promo: { path: ./apps/promo } }", quiet));
    await put({
      "apps/pos/web.yaml": web("nginx:1"),
      "apps/promo/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: promo, namespace: shop }\n",
    });
    const first = await run("diff --repo .");
    expect([first.code, first.err]).toEqual([0, ""]);
    expect(first.out).toMatch(/^edge-0 and 1 more: 4 created\n {2}\+ Kustomization flux-system\/pos /);

    await run("render --out .");
    expect((await run("diff --repo .")).out).toBe("Nothing changes on any cluster.\n");

    git("init", "--quiet", "--initial-branch=main");
    git("add", ".");
    git("commit", "--quiet", "--message=before");
    await save(fleet("{ pos: { path: ./apps/pos } }", quiet));
    await put({ "apps/pos/web.yaml": web("nginx:2") });
    const unsaid = await run("diff --repo . --base HEAD");
    expect([unsaid.code, unsaid.err]).toEqual([2, expect.stringContaining("removed: [promo]")]);
    await save(fleet("{ pos: { path: ./apps/pos } }", `${quiet}\nremoved: [promo]`));
    const changed = await run("diff --repo . --base HEAD");
    expect([changed.code, changed.err]).toEqual([0, expect.stringContaining("`removed` says so")]);
    expect(changed.out)
      .toBe(`edge-0 and 1 more: 1 changed (1 restarted), 2 deleted (Kustomization promo, ConfigMap promo)
  - Kustomization flux-system/promo (set edge-config-bootstrap, clusters/edge-0/flux/promo.yaml)
  - ConfigMap shop/promo (set promo, apps/promo/cm.yaml)
  ~ Deployment shop/web (set pos, apps/pos/web.yaml), restarts
      spec.template.spec.containers[web].image: "nginx:1" -> "nginx:2"
`);
    const { changes } = JSON.parse((await run("diff --repo . --base HEAD --json")).out) as {
      changes: unknown[];
    };
    expect(changes).toHaveLength(1);
    expect((await run("diff --repo . --base nowhere")).err).toContain("nowhere is not a commit");
    expect((await run("diff --repo . --base HEAD --server")).err).toContain("leave out --base and --stage");
  });

  it("say what a promotion brings, as a comment for a pull request", async () => {
    const stages = "stages: { dev: { branch: main }, prod: { branch: prod, after: dev } }";
    const text = fleet("{ pos: { path: ./apps/pos } }", `ignore: [unused-variable]\n${stages}`)
      .replace("edge-0: {", "edge-0: { stage: dev,")
      .replace("edge-1: {", "edge-1: { stage: prod,");
    await save(text);
    await put({ "apps/pos/web.yaml": web("nginx:1") });
    await run("render --out .");
    git("init", "--quiet", "--initial-branch=main");
    git("add", ".");
    git("commit", "--quiet", "--message=before");
    git("branch", "prod");
    await put({ "apps/pos/web.yaml": web("nginx:${site}|2"), "apps/pos/key.yaml": secret });
    git("add", ".");
    git("commit", "--quiet", "--message=after");
    const { out, err, code } = await run(
      "diff --repo . --stage dev --stage prod --format markdown --ignore plain-secret",
    );
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(`### edge-1

edge-1: 1 created, 1 changed (1 restarted)

| what | object | set | fields |
| --- | --- | --- | --- |
| changed, restarts | Deployment shop/web | pos | \`spec.template.spec.containers[web].image: "nginx:1" -> "nginx:s-42\\|2"\` |
| created | Secret shop/key | pos |  |

`);
    const three = await run("diff --repo . --stage dev");
    expect([three.code, three.err]).toEqual([2, expect.stringContaining("--stage is given twice")]);
  });
});
