import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { renderClusterFolder } from "../../flux/folder.ts";
import { fleetText, mustLoad } from "../fleet/fixture.ts";
import { workFolder } from "./workFolder.ts";

const { path, save, run } = workFolder();

interface Case {
  readonly sets: string;
  readonly top?: string;
  readonly apps?: string;
  readonly files: Readonly<Record<string, string>>;
  /** Sets that the repository has generated files of and the fleet file has no more. */
  readonly before?: string;
  readonly code: number;
  /** Each begins one line, in order; a line without a place is any other one. */
  readonly said: readonly RegExp[];
}

const object = (kind: string, name: string, more = "") =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: { name: ${name}${more} }\n`;
const config = (name: string, namespace = "default") =>
  object("ConfigMap", name, `, namespace: ${namespace}`);
const shared = {
  "apps/till/all.yaml": `${object("Namespace", "shop")}---\n${config("till", "shop")}`,
  "apps/promo/all.yaml": `${object("Namespace", "shop")}---\n${config("promo", "shop")}`,
};
const bothSets = "till: { path: ./apps/till }, promo: { path: ./apps/promo }";

const cases: Readonly<Record<string, Case>> = {
  "a values file beside manifests": {
    sets: "sensors: { path: ./apps/sensors }",
    files: {
      "apps/sensors/deploy.yaml": config("sensors"),
      "apps/sensors/values.yaml": "replicaCount: 2\n",
      "apps/sensors/notes.yaml": "just a text\n",
      "apps/sensors/.gitlab-ci.yml": "build: { script: [make] }\n",
    },
    code: 2,
    said: [
      /sets\.sensors: apps\/sensors\/notes\.yaml, apps\/sensors\/values\.yaml are not Kubernetes objects, .* \[build\]$/,
    ],
  },
  "replicas of a workload that is not there": {
    sets: "till: { path: ./apps/till }",
    files: {
      "apps/till/kustomization.yaml": "resources: [cm.yaml]\nreplicas: [{ name: web, count: 3 }]\n",
      "apps/till/cm.yaml": config("till"),
    },
    code: 2,
    said: [/sets\.till: replicas in kustomization\.yaml names web, which no workload .* \[build\]$/],
  },
  "a variable that breaks the text around it": {
    sets: "till: { path: ./apps/till }, shop: { path: ./apps/shop }",
    top: 'groups: { all: { match: {}, variables: { note: "- a" } } }',
    files: {
      "apps/till/cm.yaml": `${config("till")}data: { note: "\${note}" }\n`,
      // In the middle of a text it is well, and so is a default that breaks nothing.
      "apps/shop/cm.yaml": `${config("shop")}data: { note: "of \${note}", none: "\${none:=x}" }\n`,
    },
    code: 2,
    said: [
      /sets\.till: with its variables put in, ConfigMap.* cannot be read any more \(.*block sequence .* \[build\]$/,
    ],
  },
  // The first is well with the quotes that its author wrote, whatever the cluster may know of q.
  "a variable that needs the quotes of another one's default": {
    sets: "till: { path: ./apps/till, postBuild: &site { substituteFrom: [{ kind: ConfigMap, name: site }] } }, shop: { path: ./apps/shop, postBuild: *site }",
    top: 'groups: { all: { match: {}, variables: { list: "- a: b" } } }',
    files: {
      "apps/till/cm.yaml": `${config("till")}data:\n  note: \${q:='}\${list}\${q:='}\n`,
      "apps/shop/cm.yaml": `${config("shop")}data:\n  note: \${list}\n`,
    },
    code: 2,
    said: [/sets\.shop: with its variables put in, ConfigMap.* cannot be read any more/],
  },
  "the same in the flux folder": {
    sets: "sensors: { path: ./apps/sensors }",
    files: {
      "apps/sensors/deploy.yaml": config("sensors"),
      "clusters/edge-0/flux/notes.yaml": "owner: team-halls\n",
    },
    code: 2,
    said: [
      /clusters\.edge-0: clusters\/edge-0\/flux\/notes\.yaml is not a Kubernetes object, so the bootstrap would apply nothing/,
    ],
  },
  "a .sourceignore and sources that leave folders out": {
    sets: "sensors: { path: ./apps/sensors }, thin: { path: ./apps/sensors, source: thin }",
    top: "sources: { thin: { kind: GitRepository, url: self, ref: { branch: main }, sparseCheckout: [infra] } }",
    files: { "apps/sensors/cm.yaml": config("sensors"), ".sourceignore": "/*\n!/infrastructure\n" },
    code: 2,
    said: [
      /clusters\.edge-0: "\.\/clusters\/edge-0\/flux" is in the repository, but GitRepository edge-config leaves it out/,
      /sets\.sensors\.path: "\.\/apps\/sensors" is in the repository, but GitRepository edge-config leaves it out/,
      /sets\.thin\.path: "\.\/apps\/sensors" is in the repository, but GitRepository thin leaves it out/,
    ],
  },
  "SOPS without decryption": {
    sets: "till: { path: ./apps/till }",
    files: {
      "apps/till/secret.enc.yaml": `${object("Secret", "till", ", namespace: default")}stringData: { pin: "ENC[AES256_GCM,data:x,type:str]" }\nsops: { mac: x }\n`,
    },
    code: 2,
    said: [
      /sets\.till: apps\/till\/secret\.enc\.yaml: Secret default\/till is SOPS-encrypted, .* \[sops-without-decryption\]$/,
    ],
  },
  "targetNamespace over Namespaces": {
    sets: "workspace: { path: ./workspace, targetNamespace: flux-system }, apps: { path: ./apps, targetNamespace: pos }",
    files: {
      "workspace/ns.yaml": `${object("Namespace", "reports")}---\n${object("ConfigMap", "reports")}`,
      "apps/ns.yaml": `${object("Namespace", "pos-data")}---\n${object("Namespace", "pos-web")}`,
    },
    code: 2,
    said: [
      /sets\.workspace\.targetNamespace: renames workspace\/ns\.yaml: Namespace reports to flux-system, .*Flux itself too/,
      /sets\.apps\.targetNamespace: makes 2 Namespaces one, pos/,
    ],
  },
  "a removal that would take Flux along, though it is confirmed": {
    sets: "apps: { path: ./apps }",
    top: "removed: [workspace]",
    before: "workspace: { path: ./workspace, targetNamespace: flux-system }, apps: { path: ./apps }",
    files: { "workspace/ns.yaml": object("Namespace", "reports"), "apps/cm.yaml": config("apps") },
    code: 2,
    said: [
      /set workspace goes away, and Flux deletes what others need: .*needs Namespace flux-system/,
      /warning: .*set workspace goes away with prune: true, .*: 1 object: Namespace flux-system; `removed` says so/,
    ],
  },
  "two sets with one Namespace": {
    sets: bothSets,
    files: shared,
    code: 0,
    said: [
      /warning: clusters\.edge-0\.sets\.promo: applies Namespace shop, and so does set till: .* \[two-owners\]$/,
    ],
  },
  "the removal of one of them, though it is confirmed": {
    sets: "till: { path: ./apps/till }",
    top: "removed: [promo]",
    before: bothSets,
    files: shared,
    code: 2,
    said: [
      /set promo goes away, and Flux deletes what others need: set till applies Namespace shop too/,
      /warning: .*2 objects: Namespace shop, ConfigMap shop\/promo; `removed` says so/,
    ],
  },
  "a range of charts in a window": {
    sets: "till: { path: ./apps/till, window: nightly }",
    top: 'windows: { nightly: { open: "0 1 * * *", close: "0 4 * * *", timeZone: Europe/Berlin } }',
    files: {
      "apps/till/release.yaml":
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: till, namespace: flux-system }\n" +
        'spec: { interval: 5m, chart: { spec: { chart: till, version: ">=1.2.0", sourceRef: { kind: HelmRepository, name: charts } } } }\n',
    },
    code: 0,
    said: [
      /warning: .*HelmRelease flux-system\/till takes every chart version of ">=1\.2\.0".* \[windowed-update\]$/,
    ],
  },
  "a set whose folder holds another set (T14)": {
    sets: "all: { path: ./all }, shop: { path: ./shop }",
    files: {
      "all/ks.yaml":
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: shop, namespace: flux-system }\n",
      "shop/cm.yaml": config("shop"),
    },
    code: 2,
    said: [
      /sets\.all: applies Kustomization flux-system\/shop, and so does the flux folder: .*with what those apply/,
    ],
  },
  "a patch of an app for what none of its manifests is": {
    sets: "",
    top: "groups: { all: { match: {}, apps: { till: { target: { kind: ConfigMap, name: till }, patch: { data: { a: b } } } } } }",
    apps: "{ till: { patches: [{ target: { kind: ConfigMap, name: tilt }, patch: { data: { a: b } } }] } }",
    files: { "apps/till/kustomization.yaml": "resources: [cm.yaml]\n", "apps/till/cm.yaml": config("till") },
    code: 0,
    said: [
      /warning: clusters\.edge-0\.apps\.till: has a patch for ConfigMap tilt, .*there is ConfigMap default\/till/,
    ],
  },
  "variables: used and not defined, defined and not used": {
    sets: "till: { path: ./apps/till, postBuild: { substitute: { young: 1 } } }\n",
    top: 'flux: { version: "2.9" }\ngroups: { all: { match: {}, variables: { site: 1, old: 2 } } }',
    files: { "apps/till/cm.yaml": `${config("till")}data: { a: "\${site} \${sit}" }\n` },
    code: 2,
    said: [
      /ConfigMap default\/till has \$\{sit\}, which nothing defines, so Flux 2\.9 refuses/,
      /warning: groups\.all\.variables\.old: nothing uses the variable old/,
      /warning: clusters\.edge-0\.sets\.till\.postBuild\.substitute\.young: nothing uses the variable young/,
    ],
  },
};

it.each(Object.entries(cases))("arcflux validate --repo tells of %s", async (_, given) => {
  const { sets, top = "", apps = "{}", files, before, code, said } = given;
  await save(fleetText({ cluster: `sets: { ${sets} }\napps: ${apps}`, top }));
  await mkdir(join(path(), "repository"));
  for (const [name, text] of Object.entries(files)) await save(text, `repository/${name}`);
  if (before !== undefined) {
    const [cluster] = mustLoad(fleetText({ cluster: `sets: { ${before} }` })).clusters;
    for (const [name, text] of Object.entries(renderClusterFolder(cluster!))) {
      const file = join(path(), "repository", cluster!.folder, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  const result = await run("validate --repo repository");
  const lines = result.err.trimEnd().split("\n");
  for (const line of said) expect(lines).toContainEqual(expect.stringMatching(line));
  expect(result.code).toBe(code);
  expect(lines.filter((line) => line.startsWith("fleet.yaml:"))).toHaveLength(said.length);
});

it("leaves out the warnings that --ignore names, and no error", async () => {
  await save(fleetText({ cluster: `sets: { ${bothSets} }` }));
  for (const [name, text] of Object.entries(shared)) await save(text, `repository/${name}`);
  expect(await run("validate --repo repository --ignore two-owners --strict")).toMatchObject({
    code: 0,
    err: "",
  });
  await save(fleetText({ cluster: `sets: { ${bothSets} }`, top: "ignore: [two-owners]" }));
  expect(await run("validate --repo repository --strict")).toMatchObject({ code: 0, err: "" });
  await save(fleetText({ cluster: `sets: { ${bothSets} }`, top: "ignore: [two-owner]" }));
  expect(await run("validate")).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'ignore[0]: "two-owner" is not the name of a judgement; did you mean two-owners?',
    ) as string,
  });
  const unknown = await run("validate --repo repository --ignore two-owner");
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("Did you mean two-owners?")]);
});

it("says by name what it did not look at", async () => {
  const top =
    "sources: { charts: { kind: OCIRepository, url: oci://registry.example.com/x, ref: { tag: v1 } } }";
  await save(fleetText({ cluster: "sets: { far: { source: charts } }", top }));
  await mkdir(join(path(), "repository"));
  const { code, out } = await run("validate --repo repository");
  expect([code, out]).toEqual([
    0,
    expect.stringContaining("Not looked at: set far (OCIRepository charts lies elsewhere)."),
  ]);
});
