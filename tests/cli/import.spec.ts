import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { load } from "js-yaml";
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
    expect(err).toMatch(/^flux\/apps\.yml: Kustomization apps: spec\.validation: /m);
    expect(err).toMatch(/^namespace\.yaml: Namespace a: /m);
    expect(err).not.toContain("README");

    await save(out);
    const env = { ARCFLUX_REPOSITORY_URL: "https://git.example.com/edge/fleet.git" };
    expect((await run("validate", { env })).code).toBe(0);
    const { files } = JSON.parse((await run("render --json", { env })).out) as {
      files: Record<string, string>;
    };
    expect(Object.keys(files)).toEqual([
      "clusters/edge-7/flux/apps.yaml",
      "clusters/edge-7/flux/infrastructure.yaml",
    ]);
    const spec = (name: string) =>
      (load(files[`clusters/edge-7/flux/${name}.yaml`]!) as { spec: Record<string, unknown> }).spec;
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
    expect([first.code, first.out]).toEqual([0, "imported.yaml written: 2 sets, no sources.\n"]);
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
    expect(document.notTaken.map(({ file }) => file)).toContain("namespace.yaml");
    expect(document.fleetFile).toContain("arcflux/v1");
  });

  it("ends with 2 where there is nothing to import", async () => {
    await save("kind: Namespace\napiVersion: v1\nmetadata: { name: a }\n", "empty/a.yaml");
    await save("text\n", "file.yaml");
    for (const [folder, words] of [
      ["nope", "nope does not exist"],
      ["file.yaml", "is a file"],
      ["empty", "has no Flux Kustomization"],
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
