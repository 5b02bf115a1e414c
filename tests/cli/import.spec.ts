import { execFileSync } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { load } from "js-yaml";
import { fleetText } from "../fleet/fixture.ts";
import { workFolder } from "./workFolder.ts";

const { path, save, run } = workFolder();

const infrastructure = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: infrastructure, namespace: flux-system }
spec:
  interval: 1h
  retryInterval: 1m
  timeout: 5m
  path: ./infrastructure
  prune: true
  wait: true
  sourceRef: { kind: GitRepository, name: flux-system }
`;
const apps = `apiVersion: kustomize.toolkit.fluxcd.io/v1beta2
kind: Kustomization
metadata: { name: apps, namespace: flux-system }
spec:
  dependsOn: [{ name: infrastructure }]
  interval: 10m
  path: ./apps
  prune: true
  validation: client
  sourceRef: { kind: GitRepository, name: flux-system }
`;

/** A clone with one cluster in it. */
async function clone(): Promise<void> {
  await save("ref: refs/heads/main\n", "repo/.git/HEAD");
  await save(infrastructure, "repo/clusters/edge-7/infrastructure.yaml");
  await save(apps, "repo/clusters/edge-7/flux/apps.yml");
  await save("just text\n", "repo/clusters/edge-7/README.md");
  await save(
    "apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n",
    "repo/clusters/edge-7/namespace.yaml",
  );
}

describe("arcflux import", () => {
  it("prints a fleet file that validates and renders to the same meaning, and names what it left out", async () => {
    await clone();
    const { code, out, err } = await run("import repo/clusters/edge-7");
    expect(code).toBe(0);
    expect(err).toMatch(/^clusters\/edge-7\/flux\/apps\.yml: .*Kustomization apps: spec\.validation: /m);
    expect(err).toMatch(/^clusters\/edge-7\/namespace\.yaml: Namespace a: /m);
    expect(err).not.toContain("README");

    await save(out);
    const env = { ARCFLUX_REPOSITORY_URL: "https://git.example.com/edge/fleet.git" };
    expect((await run("validate", { env })).code).toBe(0);
    const { files } = JSON.parse((await run("render --json", { env })).out) as {
      files: Record<string, string>;
    };
    expect(Object.keys(files)).toEqual([
      "fleet/edge-7/flux/apps.yaml",
      "fleet/edge-7/flux/infrastructure.yaml",
    ]);
    const spec = (name: string) =>
      (load(files[`fleet/edge-7/flux/${name}.yaml`]!) as { spec: Record<string, unknown> }).spec;
    expect(spec("infrastructure")).toMatchObject({
      interval: "1h",
      timeout: "5m",
      path: "./infrastructure",
      wait: true,
    });
    expect(spec("apps")).toMatchObject({ interval: "10m", dependsOn: [{ name: "infrastructure" }] });
    expect(spec("apps")).not.toHaveProperty("timeout");
    expect(spec("apps")).not.toHaveProperty("wait");
  });

  it("writes a new file with --out, and leaves one that exists as it is", async () => {
    await clone();
    const first = await run("import repo/clusters/edge-7 --out imported.yaml");
    expect([first.code, first.out]).toEqual([0, "imported.yaml written.\n"]);
    const text = await readFile(join(path(), "imported.yaml"), "utf8");
    expect(text).toContain("edge-7");
    await save("mine\n", "imported.yaml");
    const second = await run("import repo/clusters/edge-7 --out imported.yaml");
    expect([second.code, second.out]).toEqual([1, ""]);
    expect(second.err).toContain("imported.yaml exists already");
    expect(await readFile(join(path(), "imported.yaml"), "utf8")).toBe("mine\n");
  });

  it("prints one JSON document", async () => {
    await clone();
    const { code, out, err } = await run("import repo/clusters/edge-7 --json");
    expect([code, err]).toEqual([0, ""]);
    const document = JSON.parse(out) as { fleetFile: string; sets: string[]; notTaken: { file: string }[] };
    expect(document.sets).toEqual(["apps", "infrastructure"]);
    expect(document.notTaken.map(({ file }) => file)).toContain("clusters/edge-7/namespace.yaml");
    expect(document.fleetFile).toContain("arcflux/v1");
  });

  it.skipIf(process.platform === "win32")("names links and pipes, which it does not read", async () => {
    await clone();
    const folder = join(path(), "repo/clusters/edge-7");
    await save(apps.replace("name: apps", "name: linked"), "other.yaml");
    await symlink(join(path(), "other.yaml"), join(folder, "link.yaml"));
    await symlink(path(), join(folder, "flux/folder"));
    execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
    const { code, out, err } = await run("import repo/clusters/edge-7");
    expect(code).toBe(0);
    expect(err).toContain(
      "clusters/edge-7/flux/folder, clusters/edge-7/link.yaml: is a symbolic link, and was not read\n",
    );
    expect(err).toContain("clusters/edge-7/pipe.yaml: is not a regular file, and was not read\n");
    expect(out).not.toContain("linked");
    const json = JSON.parse((await run("import repo/clusters/edge-7 --json")).out) as {
      notTaken: { file: string }[];
    };
    expect(json.notTaken.map(({ file }) => file)).toEqual(
      expect.arrayContaining(
        ["link.yaml", "flux/folder", "pipe.yaml"].map((name) => `clusters/edge-7/${name}`),
      ),
    );
  });

  it("says that it switches lockdown off, where a set needs another namespace", async () => {
    await clone();
    expect((await run("import repo/clusters/edge-7")).err).not.toContain("lockdown");
    await save(
      apps.replace("{ name: infrastructure }", "{ name: infrastructure, namespace: platform }"),
      "repo/clusters/edge-7/flux/apps.yml",
    );
    const { code, out, err } = await run("import repo/clusters/edge-7");
    expect(code).toBe(0);
    expect(out).toMatch(/lockdown: false/);
    expect(err).toMatch(/^flux\.lockdown: is written as false, since .*another namespace/m);
  });

  it("takes the repository from the one GitRepository that Kustomizations without a root take", async () => {
    const source = (name: string, fields: string) => `---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: ${name}, namespace: flux-system }
spec: { interval: 1m, ${fields} }
`;
    const stores = source(
      "stores",
      "url: https://git.example.com/shop/stores.git, ref: { branch: prod }, secretRef: { name: token }",
    );
    const charts = source("charts", "url: https://git.example.com/shop/charts.git");
    const taking = (name: string, text: string) =>
      `---\n${text.replace("name: flux-system }", `name: ${name} }`)}`;
    const list = (name: string) => taking("stores", infrastructure) + taking(name, apps) + stores + charts;

    await save(list("stores"), "list.yaml");
    const one = await run("import list.yaml --cluster edge-7");
    expect(one.err).toContain("1 cluster, 2 sets, no sources; 2 of 2 mean the same as before.");
    expect(one.err).not.toContain("repository.url");
    const repository = { url: "https://git.example.com/shop/stores.git", branch: "prod", access: "token" };
    expect(load(one.out)).toMatchObject({ repository });
    await save(one.out);
    expect((await run("validate")).code).toBe(0);

    await save(list("charts"), "list.yaml");
    const two = await run("import list.yaml --cluster edge-7");
    expect(two.err).toMatch(/^repository\.url: .*write it in the place of/m);
    expect(load(two.out)).toMatchObject({ repository: { url: "https://git.example.com/edge/fleet.git" } });
  });

  it("writes no credentials of the environment into the fleet file", async () => {
    await clone();
    const env = { ARCFLUX_REPOSITORY_URL: "https://user:S3CRETpw@git.example.com/edge/fleet.git" };
    const { code, out, err } = await run("import repo/clusters/edge-7", { env });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(
      "ARCFLUX_REPOSITORY_URL has credentials in it; write the URL without them, since it goes into the fleet file.\n",
    );
  });

  it("ends with what to do where the cluster does not answer, as adopt does", async () => {
    const kubeconfig = {
      clusters: [{ name: "edge-0", cluster: { server: "https://127.0.0.1:1" } }],
      users: [{ name: "edge-0", user: {} }],
      contexts: [{ name: "edge-0", context: { cluster: "edge-0", user: "edge-0" } }],
    };
    await save(JSON.stringify(kubeconfig), "kubeconfig");
    await save(
      fleetText({ cluster: "kubeconfig: { context: edge-0 }" }).replace(
        "agents: present",
        "platform: kubernetes",
      ),
    );
    for (const args of ["import --context edge-0", "adopt edge-0 --dry-run"]) {
      const { code, err } = await run(args, { env: { KUBECONFIG: join(path(), "kubeconfig") } });
      expect([args, code, err]).toEqual([
        args,
        1,
        "the API server of context edge-0 does not answer (bad port). Check the address of its server in your kubeconfig, " +
          "and the way there, then run it again.\n",
      ]);
    }
  });

  it("ends with 2 where there is nothing to import", async () => {
    await save("kind: Namespace\napiVersion: v1\nmetadata: { name: a }\n", "empty/a.yaml");
    await save("text\n", "file.yaml");
    for (const [folder, words] of [
      ["nope", "nope does not exist"],
      ["file.yaml", "file.yaml has no cluster"],
      ["empty", "has no cluster that could be taken"],
    ] as const) {
      const { code, out, err } = await run(`import ${folder}`);
      expect([code, out, err]).toEqual([2, "", expect.stringContaining(words)]);
    }
    const json = await run("import empty --json");
    expect([json.code, json.err]).toEqual([2, ""]);
    expect(JSON.parse(json.out)).toMatchObject({
      fleetFile: "",
      error: expect.stringContaining("empty") as string,
    });
  });
});
