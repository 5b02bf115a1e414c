import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { workFolder } from "./workFolder.ts";

const { path, save, run } = workFolder();

const fleet = (repository = "") => `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git${repository} }
platform: kubernetes
layout: { cluster: "clusters/{environment}/{cluster}" }
clusters:
  mgmt: { folder: clusters/mgmt, role: management, managedBy: mgmt, sets: { packs: { path: ./clusters/mgmt/sets/packs } } }
  blue: { managedBy: mgmt, attributes: { environment: staging } }
  green: { managedBy: mgmt, attributes: { environment: staging } }
`;

const crd = (name: string) =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${name}\n`;
const deployment = (name: string, image = "ghcr.io/fluxcd/x:v1.9.6") =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\n  namespace: flux-system\n  labels: { app.kubernetes.io/version: v2.9.2 }\nspec: { template: { spec: { containers: [{ image: ${image}, args: ["--host=\${NODE_IP}"] }] } } }\n`;
const flux = (image?: string) =>
  [
    deployment("source-controller", image),
    "# a comment, kept\napiVersion: v1\nkind: Namespace\nmetadata: { name: flux-system }\n",
    crd("gitrepositories.source.toolkit.fluxcd.io"),
    crd("kustomizations.kustomize.toolkit.fluxcd.io"),
  ].join("---\n");
const cni = `---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: { name: cni, namespace: kube-system }\n---\n${crd("nets.example.com")}`;

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(path(), name), text);
}
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const packs = "clusters/mgmt/sets/packs";
const both = "--manifests cni.yaml --manifests flux.yaml";
interface Packed {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations: Record<string, string>;
  };
  readonly data: Record<string, string>;
  readonly spec: { readonly resources: readonly { readonly kind: string; readonly name: string }[] };
}
const objectsIn = (text: string) => parseAllDocuments(text).map((one) => one.toJS() as Packed);
const written = async (file: string) => objectsIn(await readFile(join(path(), "out", file), "utf8"));
beforeEach(async () => void (await mkdir(join(path(), "out"))));
const below = async (folder: string) =>
  (await readdir(join(path(), "out", folder), { recursive: true }))
    .filter((one) => one.endsWith(".yaml"))
    .sort();

describe("arcflux pack", () => {
  it("writes a ClusterResourceSet whose order works, and the manifests as their authors wrote them", async () => {
    await save(fleet(", access: token"));
    await put({ "cni.yaml": cni, "flux.yaml": flux().replaceAll("\n", "\r\n") });
    const first = await run(`pack blue ${both} --out out --namespace made`);
    expect([first.code, first.err]).toEqual([0, ""]);
    expect(first.out.split("\n").slice(0, 3)).toEqual([
      "5 files written below out.",
      "Each Cluster in namespace made needs its label, such as arcflux.io/cluster: blue.",
      "Each needs a Secret of type addons.cluster.x-k8s.io/resource-set on its management cluster, such as made/blue-read-key: see docs/guide/cluster-api.md.",
    ]);
    const [set, own] = await written(`${packs}/blue.yaml`);
    expect(set).toEqual({
      apiVersion: "addons.cluster.x-k8s.io/v1beta2",
      kind: "ClusterResourceSet",
      metadata: {
        name: "blue",
        namespace: "made",
        annotations: {
          "arcflux.io/manifests": `cni.yaml sha256:${sha256(cni)}, flux.yaml v2.9.2 sha256:${sha256(flux().replaceAll("\n", "\r\n"))}`,
        },
      },
      spec: {
        strategy: "Reconcile",
        clusterSelector: { matchLabels: { "arcflux.io/cluster": "blue" } },
        resources: [
          { kind: "ConfigMap", name: expect.stringMatching(/^cni-crds-[0-9a-f]{10}$/) as string },
          { kind: "ConfigMap", name: expect.stringMatching(/^flux-crds-[0-9a-f]{10}$/) as string },
          { kind: "ConfigMap", name: expect.stringMatching(/^cni-[0-9a-f]{10}$/) as string },
          { kind: "ConfigMap", name: expect.stringMatching(/^flux-[0-9a-f]{10}$/) as string },
          { kind: "Secret", name: "blue-read-key" },
          { kind: "ConfigMap", name: "blue-bootstrap" },
        ],
      },
    });
    const texts = await Promise.all(
      set!.spec.resources.slice(0, 4).map(async ({ name }) => {
        const [one] = await written(`${packs}/manifests/${name}.yaml`);
        const text = one!.data["objects.yaml"]!;
        expect(one!.metadata).toEqual({
          name,
          namespace: "made",
          annotations: {
            "arcflux.io/manifests": name.startsWith("cni") ? "cni.yaml" : "flux.yaml",
            "arcflux.io/sha256": sha256(text),
            "kustomize.toolkit.fluxcd.io/substitute": "disabled",
          },
        });
        return text;
      }),
    );
    const [controller, namespace, ...crds] = flux().split("---\n");
    expect(texts).toEqual([
      `---\n${crd("nets.example.com")}`,
      ["", namespace, ...crds].join("---\n"),
      "---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: { name: cni, namespace: kube-system }\n",
      `---\n${controller}`,
    ]);
    expect(objectsIn(own!.data["objects.yaml"]!)).toEqual([
      {
        apiVersion: "source.toolkit.fluxcd.io/v1",
        kind: "GitRepository",
        metadata: { name: "edge-config", namespace: "flux-system" },
        spec: {
          url: "https://git.example.com/edge/fleet.git",
          secretRef: { name: "edge-config-auth" },
          interval: "10m",
          timeout: "300s",
          ref: { branch: "main" },
        },
      },
      {
        apiVersion: "kustomize.toolkit.fluxcd.io/v1",
        kind: "Kustomization",
        metadata: { name: "edge-config-bootstrap", namespace: "flux-system" },
        spec: {
          sourceRef: { kind: "GitRepository", name: "edge-config" },
          prune: true,
          interval: "10m",
          retryInterval: "2m",
          path: "./clusters/staging/blue/flux",
          wait: false,
          timeout: "5m",
          force: false,
        },
      },
    ]);
    const again = await run(`pack blue ${both} --out out --namespace made`);
    expect(again.out).toContain("No file written below out, 5 up to date.");
  });

  it("shares manifests among clusters, upgrades one at a time, and takes out what none has any more", async () => {
    await save(fleet().replace("packs: { path: ./clusters/mgmt/sets/packs }", "other: {}"));
    await put({ "cni.yaml": cni, "flux.yaml": flux() });
    expect((await run(`pack blue green ${both} --out out`)).out).toContain(
      "No set of mgmt applies clusters/mgmt/sets/packs: add `packs: {}` to its sets in the fleet file.",
    );
    const before = await below(packs);
    expect(before).toHaveLength(6);
    await put({ "flux.yaml": flux("ghcr.io/fluxcd/x:v1.9.7") });
    expect((await run(`pack blue ${both} --out out`)).out).not.toContain("is taken out");
    expect(await below(packs)).toHaveLength(7);
    const old = before.find((one) => /flux-[0-9a-f]{10}/.test(one))!;
    expect((await run(`pack green ${both} --out out`)).out).toContain(
      `${packs}/${old} is taken out: no pack names it any more.`,
    );
    expect(await below(packs)).toHaveLength(6);
    expect(await below(packs)).not.toContain(old);
  });

  it("splits 2.5 MiB below what a ConfigMap may have, with its names, and refuses an object that has more", async () => {
    await save(fleet());
    const line = `${"0123456789abcde ".repeat(6)}\n`;
    const large = (name: string, lines: number) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata:\n  text: |\n${`    ${line}`.repeat(lines)}`;
    const many = Array.from({ length: 26 }, (_, index) => large(`part-${index}`, 1000));
    await put({ "cni.yaml": many.join("---\n"), "flux.yaml": flux() });
    expect(many.join("---\n").length).toBeGreaterThan(2.5 * 1024 * 1024);
    expect((await run(`pack blue ${both} --out out`)).code).toBe(0);
    const files = (await below(`${packs}/manifests`)).filter((one) => one.startsWith("cni"));
    const maps = (await Promise.all(files.map((one) => written(`${packs}/manifests/${one}`)))).flat();
    expect(maps).toHaveLength(3);
    for (const one of maps) expect(Buffer.byteLength(JSON.stringify(one))).toBeLessThanOrEqual(1 << 20);
    expect(
      maps
        .flatMap(({ data }) => objectsIn(data["objects.yaml"]!))
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(many.map((_, index) => `part-${index}`).sort());
    await put({ "cni.yaml": large("huge", 10_500) });
    const refused = await run(`pack blue ${both} --out out`);
    expect([refused.code, refused.err]).toEqual([
      2,
      "cni.yaml: ConfigMap huge has more than 1 MiB, which no ConfigMap can hold; make it smaller.\n",
    ]);
  });

  it("refuses what cannot be packed or must not be in Git, all of it at once, and writes nothing", async () => {
    await save(fleet());
    const token = `ghp_${"a1B2".repeat(9)}`;
    const object = (kind: string, rest: string) => `apiVersion: v1\nkind: ${kind}\n${rest}\n`;
    const wrong: readonly (readonly [string, string])[] = [
      ["a: [", "is not valid YAML at line 1; correct it."],
      ["a: 1\n", "has a document without apiVersion or kind; name a file of manifests."],
      ["- 1\n", "has a document that is not an object; take it out."],
      ["# nothing\n", "holds no object; name a file of manifests."],
      [object("Service", "metadata: {}"), "has a Service without metadata.name; write one."],
      [
        object("List", "items: [{ kind: A }]"),
        "has a List, which Cluster API does not apply; write its items as documents of their own.",
      ],
      [
        object("Secret", "metadata: { name: s, namespace: shop }\ndata: { a: c2VjcmV0 }"),
        "has Secret shop/s, and a pack lies in Git; take it out, and make it on the management cluster.",
      ],
      [
        object("ConfigMap", `metadata: { name: c }\ndata: { t: ${token} }`),
        "has a GitHub token in ConfigMap c at data.t, and a pack lies in Git; take it out.",
      ],
    ];
    await put(Object.fromEntries(wrong.map(([text], index) => [`m${index}.yaml`, text])));
    const server = createServer((_, answer) => void answer.end(flux())).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/install.yaml`;
    const pinned = `${url}#sha256=${sha256(flux())}`;
    try {
      const places = [...wrong.keys()].map((index) => `m${index}.yaml`);
      const more = ["none.yaml", "http://example.com/a.yaml", url, `${url}#sha256=${"0".repeat(64)}`];
      const ran = await run(
        `pack blue --out out ${[...places, ...more].map((one) => `--manifests ${one}`).join(" ")}`,
      );
      expect([ran.code, ran.out, ran.err.split("\n")]).toEqual([
        2,
        "",
        [
          ...wrong.map(([, message], index) => `m${index}.yaml: ${message}`),
          "none.yaml cannot be read (ENOENT); name a file of manifests.",
          "--manifests takes a file, or a URL that begins with https://.",
          `${url} may hold something else tomorrow. Look at what it holds, then write it with its checksum: --manifests '${pinned}'`,
          `install.yaml: ${url} has the checksum ${sha256(flux())} now; look at what changed in it, then write that.`,
          "",
        ],
      ]);
      expect(ran.err).not.toContain(token);
      expect(await readdir(join(path(), "out"))).toEqual([]);
      const { code, out } = await run(`pack blue --manifests ${pinned} --json`);
      expect([code, Object.keys((JSON.parse(out) as { files: object }).files)]).toEqual([
        0,
        [
          expect.stringMatching(/manifests\/install-crds-/),
          expect.stringMatching(/manifests\/install-[0-9a-f]{10}/),
          `${packs}/blue.yaml`,
        ],
      ]);
    } finally {
      server.close();
    }
  });

  it("refuses a name that no namespace has, and a folder that is not there, and writes nothing", async () => {
    await save(fleet());
    await put({ "cni.yaml": cni, "flux.yaml": flux() });
    const wrong = await run(`pack blue ${both} --out out --namespace a.b`);
    expect([wrong.code, wrong.out, wrong.err]).toEqual([
      2,
      "",
      expect.stringContaining("a namespace has 1 to 63 lower-case letters, digits and -"),
    ]);
    const gone = await run(`pack blue ${both} --out nosuch`);
    expect([gone.code, gone.out, gone.err]).toEqual([
      2,
      "",
      '"nosuch" is not a folder. Nothing was changed; give a working copy of the repository.\n',
    ]);
    expect(await readdir(path(), { recursive: true })).toEqual(
      expect.not.arrayContaining(["nosuch", "out/clusters"]),
    );
  });

  it("refuses the same object twice, objects that it makes itself, no Flux, and clusters that nobody makes", async () => {
    await save(fleet());
    const own =
      "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: x, namespace: flux-system }\n";
    await put({ "cni.yaml": `${cni}---\n${crd("nets.example.com")}---\n${own}`, "more.yaml": cni });
    expect((await run("pack blue --manifests cni.yaml --manifests more.yaml")).err.split("\n")).toEqual([
      "cni.yaml: has CustomResourceDefinition nets.example.com twice; take one of them out.",
      "cni.yaml: has GitRepository flux-system/x, and a pack makes those itself; take gotk-sync out.",
      "more.yaml: has DaemonSet kube-system/cni, and so has cni.yaml; take one of them out.",
      "more.yaml: has CustomResourceDefinition nets.example.com, and so has cni.yaml; take one of them out.",
      "The manifests lack Namespace flux-system, CustomResourceDefinition gitrepositories.source.toolkit.fluxcd.io, CustomResourceDefinition kustomizations.kustomize.toolkit.fluxcd.io; add what flux install --export prints.",
      "",
    ]);
    const controller = deployment("kustomize-controller", "ghcr.io/fluxcd/kustomize-controller:v1.9.6");
    await put({ "flux.yaml": `${flux()}---\n${controller}` });
    const older = await run("pack blue green --manifests flux.yaml --out out");
    expect([older.code, older.err.replaceAll("\n", " ")]).toEqual([
      2,
      expect.stringMatching(
        /flux\.lockdown: is true, .*flux\.version: is not that of the manifests, which are of Flux 2\.9\.2; write version: "2\.9".* \(on blue, green\)/,
      ),
    ]);
    await save(fleet().replace("green: { managedBy: mgmt, ", "green: { kubeconfig: { context: green }, "));
    expect((await run(`pack green ${both}`)).err).toContain(
      "No management cluster makes green; write managedBy there.",
    );
  });
});
