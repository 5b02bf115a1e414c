import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { KubernetesObject } from "../../lab/cluster/clusterApi.ts";
import { LabStack } from "../../lab/stack.ts";
import {
  bothVersions,
  type ClusterLab,
  configMap,
  deployment,
  OnCluster,
  readyOf,
  runPods,
  startClusterLab,
} from "../support/clusterLab.ts";
import { arcflux } from "../cli/process.ts";
import { expectCode } from "../support/lab.ts";
import { ownedFields } from "../support/ownedFields.ts";

/** The strings of case A01, which one YAML reader or another takes for something else. */
const oddStrings = [
  ...["on", "off", "y", "No", "007", "08", "0123", "1e3", "25921e05", "0x1F", "0b101", "1_000", "2.4", ".5"],
  ...["+12", "12:30", "2024-01-01", "~", "null", "", "=", "<< ", "-.inf"],
];
const odd = oddStrings.map((text, index) => [`odd_${String(index).padStart(2, "0")}`, text] as const);

/** What `arcflux build --json` prints. */
interface BuildDocument {
  readonly sets: readonly { name: string; objects: readonly { object: KubernetesObject }[] }[];
  readonly unbuilt: readonly unknown[];
}

/** What kustomize-controller applied; of a Secret the names alone, which is what a build shows. */
function applied(live: KubernetesObject): unknown {
  const { data, ...fields } = ownedFields(live, "kustomize-controller") as Record<string, unknown>;
  if (live.kind !== "Secret") return data === undefined ? fields : { ...fields, data };
  return { ...fields, data: Object.fromEntries(Object.keys(data ?? {}).map((key) => [key, "(hidden)"])) };
}

/** An object as the server records it: what it is called is not a field of its manager. */
function expected(object: KubernetesObject, marks: Readonly<Record<string, string>>): unknown {
  const without = (map: object, names: readonly string[]): object =>
    Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)));
  const metadata = { ...object.metadata, labels: { ...object.metadata.labels, ...marks } };
  return { ...without(object, ["apiVersion", "kind"]), metadata: without(metadata, ["name", "namespace"]) };
}

/** Kubernetes' own kinds pass through Go's types in kustomize-controller, which fills in what is empty. */
const filledIn = ["strategy", "resources", "protocol", "targetPort", "creationTimestamp"];

/** A value without what is filled in where `wanted` does not say it, and with lists of named entries in one order. */
function comparable(value: unknown, wanted: unknown): unknown {
  if (Array.isArray(value)) {
    const nameOf = (entry: unknown) => (entry as { name?: string } | null)?.name ?? "";
    const others = Array.isArray(wanted) ? (wanted as unknown[]) : [];
    const entries = value as unknown[];
    const isNamed = entries.every((entry) => nameOf(entry) !== "");
    const inOrder = isNamed ? entries.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) : entries;
    return inOrder.map((entry, index) =>
      comparable(entry, isNamed ? others.find((each) => nameOf(each) === nameOf(entry)) : others[index]),
    );
  }
  if (typeof value !== "object" || value === null) return value;
  const said = (wanted ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name in said || !filledIn.includes(name))
      .map(([name, each]) => [name, comparable(each, said[name])]),
  );
}

const secret = { apiVersion: "v1", kind: "Secret" } as const;
const names = bothVersions.map(({ name }) => name);

const secrets = `secrets:
  till-api: { namespace: pos, keys: { token: { config: "till-{cluster}" }, user: { config: till-user } } }
  pin: { keys: { pin: { config: till-user } } }
`;

function fleet({
  tag = "v0.1.0",
  sets = "",
  removed = "",
  flux = "flux",
  more = "",
  idle = "",
} = {}): string {
  const all = [...odd, ["quote", '"'] as const];
  const variables = all.map(([name, text]) => `${name}: ${JSON.stringify(text)}`).join(", ");
  return `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
layout: { flux: ${flux} }
bootstrap: { interval: 5m, retryInterval: 1m }
defaults: { interval: 5m, retryInterval: 1m, timeout: 1m }
${more}sources:
  infrastructure: { kind: GitRepository, url: self, interval: 1m }
sets:
  infrastructure: { path: ./infrastructure, source: infrastructure }
  base: { path: ./apps/base }
  odd: { path: ./apps/odd, postBuild: { substitute: { ${variables} } } }
  web: { path: ./apps/web, healthChecks: [{ apiVersion: apps/v1, kind: Deployment, name: web, namespace: default }] }
  after: { path: ./apps/after, dependsOn: [web] }
  extra: { path: ./apps/extra }
  pinned: { path: ./apps/pinned, retryInterval: 2s, postBuild: { substituteFrom: [{ kind: Secret, name: pin }] } }
  plain:
    path: ./apps/plain
    wait: false
    targetNamespace: kube-public
    namePrefix: its-
    commonMetadata: { labels: { tier: "1" }, annotations: { owner: "\${site}" } }
    components: [../more]
    images: [{ name: web, newName: registry.example.com/web, newTag: "2" }]
    patches: [{ target: { kind: Deployment }, patch: '[{"op":"add","path":"/spec/replicas","value":0}]' }]
  made: { path: ./apps/made }
  slots: { path: ./apps/slots, wait: false }
removed: [${removed}]
groups:
  stores:
    match: { kind: store }
    pins: { infrastructure: { tag: ${tag} } }
    sets: { infrastructure: {}, base: {}, odd: {}, web: {}, after: {}, plain: {}, made: {}${sets} }
${
  idle === ""
    ? ""
    : `  idle: { match: { slot: ${idle} }, idle: true }
`
}clusters:
  edge-newest:
    labels: { kind: store, slot: blue }
    kubeconfig: { context: edge-newest }
    flux: { version: "2.9" }
    variables: { site: oslo }
  edge-azure:
    labels: { kind: store, slot: green }
    kubeconfig: { context: edge-azure }
    flux: { version: "2.7" }
    variables: { site: bergen }
`;
}

/** What the generator of Flux and kustomize do to a folder: with and without a configuration of its own. */
const shaped = {
  "apps/plain/README.md": "Not a manifest.\n",
  "apps/plain/web.yaml": deployment
    .replaceAll("name: web", "name: plain")
    .replace("registry.example.com/web:1", "web"),
  "apps/plain/deeper/all.yml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: plain }\n",
  "apps/plain/given/kustomization.yaml": "resources: [map.yaml]\nnameSuffix: -given\n",
  "apps/plain/given/map.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: map }\ndata: { at: '${site}', cost: '$$5', none: '${none:=nothing}' }\n",
  "apps/plain/given/unlisted.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: unlisted }\n",
  "apps/more/kustomization.yaml":
    "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nlabels: [{ pairs: { more: yes-please } }]\nresources: [role.yaml]\n",
  "apps/more/role.yaml":
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: more }\nrules: [{ apiGroups: [''], resources: [pods], verbs: [get] }]\n",
  "apps/made/kustomization.yaml": `namespace: default
resources: [service.yaml]
configMapGenerator: [{ name: made, files: [app.conf], literals: ["site=\${site}"] }]
secretGenerator: [{ name: made, literals: [pin=0042] }]
patches:
  - target: { kind: Service }
    patch: |
      apiVersion: v1
      kind: Service
      metadata: { name: any }
      spec: { ports: [{ port: 443, name: tls }] }
`,
  "apps/made/app.conf": 'site = ${site}\nname = "made"\n',
  "apps/made/service.yaml":
    "apiVersion: v1\nkind: Service\nmetadata: { name: made }\nspec: { selector: { app: made }, ports: [{ port: 80, name: http }] }\n",
};

/** One of each that must not run twice. */
const slots = `${deployment.replaceAll("name: web", "name: till").replace("spec:\n", "spec:\n  replicas: 2\n")}---
${deployment.replaceAll("name: web", "name: db").replace("kind: Deployment", "kind: StatefulSet").replaceAll("app: web", "app: db")}---
apiVersion: batch/v1
kind: CronJob
metadata: { name: mail, namespace: default }
spec:
  schedule: "0 0 1 1 *"
  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: mail, image: mail:1 }] } } } }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: shop, namespace: default }
spec: { interval: 1h }
`;

/** What of them runs on a cluster: replicas, whether the CronJob is suspended, kinds that the release stops. */
const running = { till: 2, db: 1, web: 1, mail: false, shop: undefined };
const stopped = { till: 0, db: 0, web: 0, mail: true, shop: ["Deployment", "StatefulSet", "CronJob"] };

async function slotOf({ api }: OnCluster): Promise<Record<keyof typeof running, unknown>> {
  const spec = async (apiVersion: string, kind: string, name: string) =>
    (await api.read({ apiVersion, kind, namespace: "default", name }))?.["spec"] as
      Readonly<Record<string, unknown>> | undefined;
  const release = (await spec("helm.toolkit.fluxcd.io/v2", "HelmRelease", "shop"))?.["postRenderers"] as
    { kustomize: { patches: { target: { kind: string } }[] } }[] | undefined;
  return {
    till: (await spec("apps/v1", "Deployment", "till"))?.["replicas"],
    db: (await spec("apps/v1", "StatefulSet", "db"))?.["replicas"],
    web: (await spec("apps/v1", "Deployment", "web"))?.["replicas"],
    mail: (await spec("batch/v1", "CronJob", "mail"))?.["suspend"],
    shop: release?.[0]?.kustomize.patches.map(({ target }) => target.kind),
  };
}

const manifests = {
  ...shaped,
  ...configMap("infrastructure", "infrastructure", { version: "1" }),
  ...configMap("apps/base", "base", { site: "${site}" }),
  ...configMap("apps/odd", "odd", Object.fromEntries(odd.map(([name]) => [name, `[\${${name}}]`]))),
  ...configMap(
    "apps/odd",
    "quoted",
    Object.fromEntries(odd.map(([name]) => [name, `\${quote}\${${name}}\${quote}`])),
  ),
  ...configMap("apps/after", "after", { came: "after web" }),
  ...configMap("apps/extra", "extra", { a: "b" }),
  ...configMap("apps/pinned", "pinned", { pin: "${pin}" }),
  "apps/web/web.yaml": deployment,
};

describe("a fleet of two clusters behind Azure, from fleet.yaml to objects on both", () => {
  let test: ClusterLab;
  let stack: LabStack;
  let clusters: readonly OnCluster[];

  beforeAll(async () => {
    test = await startClusterLab(bothVersions);
    clusters = names.map((name) => new OnCluster(test, name));
    await test.person.commit("Manifests", manifests);
    await test.repository.git("tag", "v0.1.0", "main");
    stack = await LabStack.init(test.lab, "e2e", fleet());
  });
  afterAll(() => test.stop());

  const onBoth = (work: (cluster: OnCluster) => Promise<unknown>): Promise<unknown> =>
    Promise.all(clusters.map(work));

  /** An update; gives the tip it leaves, which Flux is told to fetch. */
  async function update(text?: string, ...args: string[]): Promise<{ tip: string; output: string }> {
    if (text !== undefined) await stack.writeFleet(text);
    const { stdout } = expectCode(await stack.operate("up", ["--skip-preview", ...args]), 0);
    return { tip: await fetchTip(), output: stdout };
  }

  async function fetchTip(): Promise<string> {
    await onBoth((cluster) => cluster.fetchNow());
    return (await test.repository.commits())[0] ?? "";
  }

  async function compliance(name: string): Promise<Record<string, unknown>> {
    const text = await stack.must(["stack", "output", "--json", "--stack", stack.name]);
    const { clusters: outputs } = JSON.parse(text) as { clusters: Record<string, Record<string, unknown>> };
    return outputs[name]?.["compliance"] as Record<string, unknown>;
  }

  it("one update brings both under Flux, to content on the cluster, each with its own variables", async () => {
    const { tip } = await update();
    await onBoth(async (cluster) => {
      await cluster.untilReady("edge-config-bootstrap", tip);
      await cluster.untilReady("base", tip);
    });
    expect(await Promise.all(clusters.map((cluster) => cluster.data("base")))).toEqual([
      { site: "oslo" },
      { site: "bergen" },
    ]);
  });

  it("what Azure was given is the GitRepository and the bootstrap alone", async () => {
    await onBoth(async ({ api }) => {
      const own = (objects: KubernetesObject[]) =>
        objects
          .filter(({ metadata }) => metadata.labels?.["clusterconfig.azure.com/is-managed"] === "true")
          .map(({ metadata }) => metadata.name);
      expect(own(await api.list("source.toolkit.fluxcd.io/v1", "GitRepository"))).toEqual(["edge-config"]);
      expect(own(await api.list("kustomize.toolkit.fluxcd.io/v1", "Kustomization"))).toEqual([
        "edge-config-bootstrap",
      ]);
    });
  });

  it("every string of case A01 arrives as it was written", async () => {
    const expected = Object.fromEntries(odd.map(([name, text]) => [name, `[${text}]`]));
    await onBoth(async (cluster) => {
      const data = await cluster.until("the ConfigMap odd", () => cluster.data("odd"));
      expect(data).toEqual(expected);
      // As values of their own, with the quotes in a variable.
      const quoted = await cluster.until("the ConfigMap quoted", () => cluster.data("quoted"));
      expect(quoted).toEqual(Object.fromEntries(odd));
      const { postBuild } = (await cluster.kustomization("odd"))?.["spec"] as {
        postBuild: { substitute: object };
      };
      expect(postBuild.substitute).toMatchObject(Object.fromEntries(odd));
    });
  });

  it("a set waits until what it depends on is healthy", async () => {
    await onBoth(async (cluster) => {
      await cluster.until("after waits for web", async () => {
        return readyOf(await cluster.kustomization("after")).reason === "DependencyNotReady";
      });
      expect(await cluster.data("after")).toBeUndefined();
      expect(readyOf(await cluster.kustomization("web")).status).not.toBe("True");
      await runPods(cluster, "web");
      await cluster.until("after comes", () => cluster.data("after"));
      // It could not have come before.
      expect(readyOf(await cluster.kustomization("web")).status).toBe("True");
    });
  });

  it("what was applied is what arcflux build prints, field by field, by both versions", async () => {
    const [tip = ""] = await test.repository.commits();
    const differing: unknown[] = [];
    for (const cluster of clusters) {
      for (const set of ["plain", "made", "after"]) await cluster.untilReady(set, tip);
      const args = ["build", cluster.name, "--file", stack.fleetFile, "--repo", test.lab.gitDir, "--json"];
      const { code, out } = await arcflux(args, test.lab.dir, { env: test.env });
      const { sets, unbuilt } = JSON.parse(out) as BuildDocument;
      expect([code, unbuilt]).toEqual([0, []]);
      const objects = sets.flatMap(({ name, objects }) =>
        objects.map(({ object }) => ({ set: name, object })),
      );
      expect(objects).toHaveLength(21);
      for (const { set, object } of objects) {
        const { kind, apiVersion, metadata } = object;
        const live = await cluster.api.read({ namespace: "default", ...metadata, apiVersion, kind });
        const marks = {
          "kustomize.toolkit.fluxcd.io/name": set,
          "kustomize.toolkit.fluxcd.io/namespace": "flux-system",
        };
        const wanted = expected(object, marks);
        const found = comparable(applied(live!), wanted);
        if (!isDeepStrictEqual(found, comparable(wanted, wanted)))
          differing.push({ cluster: cluster.name, kind, found, wanted });
      }
    }
    expect(differing).toEqual([]);
  });

  it("the server's own diff finds nothing, and what somebody changed there", async () => {
    const server = () =>
      arcflux(["diff", stack.fleetFile, "--server", "--repo", test.lab.gitDir, ...only], test.lab.dir, {
        env: test.env,
      });
    const only = ["--cluster", "edge-newest"];
    expect((await server()).out).toBe("Nothing changes on any cluster.\n");
    const base = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "base" };
    await clusters[0]!.api.patch(base, { data: { site: "by hand" } });
    expect((await server()).out).toBe(
      "edge-newest: 1 changed\n  ~ ConfigMap default/base (set base, apps/base/base.yaml)\n" +
        '      data.site: "by hand" -> "oslo"\n',
    );
  });

  it("a new set arrives without any change in Azure", async () => {
    const before = await onAzure();
    const { tip, output } = await update(fleet({ sets: ", extra: {}" }));
    expect(output).toMatch(/^ {4}~ 2 updated$/m);
    await onBoth((cluster) => cluster.untilReady("extra", tip));
    expect(await Promise.all(clusters.map((cluster) => cluster.data("extra")))).toEqual([
      { a: "b" },
      { a: "b" },
    ]);
    expect(await onAzure()).toEqual(before);
  });

  it("a removed set is pruned with what it applied", async () => {
    await stack.writeFleet(fleet());
    const refused = await stack.operate("up", ["--skip-preview"]);
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain("extra");
    await update(fleet({ removed: "extra" }));
    await onBoth(async (cluster) => {
      await cluster.until("extra goes", async () => (await cluster.kustomization("extra")) === undefined);
      await cluster.until("its content goes", async () => (await cluster.data("extra")) === undefined);
      expect(await cluster.data("base")).toBeDefined();
    });
  });

  it("secrets reach each cluster by its own key, and what needs one waits for that", async () => {
    const config = { sealingKey: "8V1yQ0q1nq3b5x7TtP2mJ6cZ0aKfWuLsEoRgHdYiXvM=", "till-user": "user-4711" };
    const values = {
      ...config,
      ...Object.fromEntries(names.map((name) => [`till-${name}`, `token of ${name}`])),
    };
    for (const [key, value] of Object.entries(values))
      await stack.must(["config", "set", "--stack", stack.name, "--secret", `arcflux:${key}`, value]);
    await update(fleet({ more: secrets, sets: ", pinned: {}" }));
    await onBoth((cluster) =>
      cluster.until("the set waits", async () =>
        readyOf(await cluster.kustomization("pinned")).message.includes("dependency"),
      ),
    );

    const args = ["secrets", "bootstrap", "--file", stack.fleetFile];
    const bootstrapped = await arcflux(args, test.lab.dir, { env: test.env });
    expect(bootstrapped).toMatchObject({ code: 0 });
    expect(bootstrapped.out).toContain("2 have their key (2 new in the fleet file).");
    const { tip } = await update();
    await onBoth(async (cluster) => {
      await cluster.untilReady("secrets", tip);
      await cluster.untilReady("pinned", tip);
      const till = await cluster.api.read({ ...secret, namespace: "pos", name: "till-api" });
      expect(till?.["data"]).toEqual({
        token: Buffer.from(`token of ${cluster.name}`).toString("base64"),
        user: Buffer.from("user-4711").toString("base64"),
      });
      expect(await cluster.data("pinned")).toEqual({ pin: "user-4711" });
    });

    for (const key of Object.keys(values).filter((one) => one !== "sealingKey"))
      await stack.must(["config", "rm", "--stack", stack.name, `arcflux:${key}`]);
    await update(fleet({ removed: "secrets, pinned" }));
    await onBoth(async (cluster) => {
      await cluster.until("they go", async () => (await cluster.kustomization("secrets")) === undefined);
      await cluster.api.delete({ ...secret, namespace: "flux-system", name: "sops-age" });
    });
  });

  it("a pinned source stays while main moves, and follows when the tag is bumped", async () => {
    await test.person.commit("Infrastructure 2", {
      ...configMap("infrastructure", "infrastructure", { version: "2" }),
      ...configMap("apps/base", "base", { site: "${site}", main: "moved" }),
    });
    const moved = await fetchTip();
    await onBoth(async (cluster) => {
      await cluster.untilReady("base", moved);
      expect(await cluster.data("base")).toMatchObject({ main: "moved" });
      expect(await cluster.data("infrastructure")).toEqual({ version: "1" });
    });
    await test.repository.git("tag", "v0.2.0", "main");
    await update(fleet({ tag: "v0.2.0" }));
    await onBoth(async (cluster) => {
      await cluster.until("version 2 of the infrastructure", async () => {
        return (await cluster.data("infrastructure"))?.["version"] === "2";
      });
    });
  });

  it("a broken manifest shows in the output compliance with Flux's reason, and repairs itself", async () => {
    const path = "apps/base/broken.yaml";
    await test.person.commit("Break it", {
      [path]: "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: Not A Name }\n",
    });
    await fetchTip();
    await onBoth((cluster) =>
      cluster.until(
        "base fails",
        async () => readyOf(await cluster.kustomization("base")).status === "False",
      ),
    );
    await reported("base", "Not A Name");
    await test.person.commit("Mend it", { [path]: null });
    const mended = await fetchTip();
    await onBoth((cluster) => cluster.untilReady("base", mended));
    await reported('"state":"Compliant"');
  });

  it("a flux folder moves with what others have in it, and clusters that follow late keep all they run", async () => {
    const objects = (): Promise<unknown[]> =>
      Promise.all(
        clusters.map(async (cluster) => [
          (await cluster.kustomization("base"))?.metadata["uid"],
          (await cluster.kustomization("web"))?.metadata["uid"],
          await cluster.data("by-hand"),
        ]),
      );
    const byHand = (folder: string): Record<string, string> =>
      Object.assign(
        {},
        ...names.map((name) => configMap(`clusters/${name}/${folder}`, "by-hand", { by: "hand" })),
      ) as Record<string, string>;
    await test.person.commit("By hand", byHand("flux"));
    await fetchTip();
    await onBoth((cluster) =>
      cluster.until("the file by hand is applied", async () => (await cluster.data("by-hand")) !== undefined),
    );
    const before = await objects();
    const moved = fleet({ tag: "v0.2.0", flux: "gitops" });
    await stack.writeFleet(moved);
    const refused = await stack.operate("up", ["--skip-preview", "--continue-on-error"]);
    expect(refused.code).not.toBe(0);
    for (const name of names) {
      const said = `clusters/${name}/flux/by-hand.yaml: it is not in the new folder`;
      expect(refused.stdout + refused.stderr).toContain(said);
    }
    await test.person.commit("Move", byHand("gitops"));

    // Git first, with Azure and so the bootstrap still at the old place; and once more, as after an Azure that failed.
    await update(moved, "--target", "**GitFiles**");
    const { tip } = await update(moved, "--target", "**GitFiles**");
    await onBoth((cluster) => cluster.untilReady("edge-config-bootstrap", tip));
    expect(await objects()).toEqual(before);

    await update(moved, "--target", "**FluxConfiguration**");
    await onBoth((cluster) =>
      cluster.until("the bootstrap follows", async () => {
        const found = await cluster.kustomization("edge-config-bootstrap");
        const { path } = found?.["spec"] as { path: string };
        return path.endsWith("/gitops") && readyOf(found).status === "True";
      }),
    );
    expect(await objects()).toEqual(before);
    const released = names.map((name) => `{ folder: clusters/${name}/flux }`).join(", ");
    const done = await update(fleet({ tag: "v0.2.0", flux: "gitops", removed: released }));
    const left = names.map((name) => `clusters/${name}/flux/by-hand.yaml`);
    expect(Object.keys(await test.repository.files()).filter((path) => path.includes("/flux/"))).toEqual(
      left.sort(),
    );
    await onBoth((cluster) => cluster.untilReady("edge-config-bootstrap", done.tip));
    expect(await objects()).toEqual(before);
    const all = [...left, ...names.map((name) => `clusters/${name}/gitops/by-hand.yaml`)];
    await test.person.commit("Tidy up", Object.fromEntries(all.map((path) => [path, null])));
  });

  it("the idle one of two has no replicas and no runs, its releases too, before and after the switch", async () => {
    await test.person.commit("What must not run twice", { "apps/slots/all.yaml": slots });
    const after = async (idle: string, ...order: readonly ("stops" | "goes")[]) => {
      const { tip } = await update(fleet({ tag: "v0.2.0", flux: "gitops", sets: ", slots: {}", idle }));
      await onBoth((cluster) => cluster.untilReady("slots", tip));
      const wanted = order.map((each) => (each === "stops" ? stopped : running));
      await Promise.all(
        clusters.map((cluster, index) =>
          cluster.until("web is scaled", async () => (await slotOf(cluster)).web === wanted[index]!.web),
        ),
      );
      expect(await Promise.all(clusters.map(slotOf))).toEqual(wanted);
    };
    await after("blue", "stops", "goes");
    // A set that waits for its health is ready without replicas.
    await clusters[0]!.until(
      "web is ready",
      async () => readyOf(await clusters[0]!.kustomization("web")).status === "True",
    );
    await after("green", "goes", "stops");
  });

  it("destroy leaves both clusters without our objects and the repository without our files", async () => {
    const files = Object.keys(await test.repository.files());
    expect(files.some((path) => path.startsWith("clusters/"))).toBe(true);
    expectCode(await stack.operate("destroy", ["--skip-preview"]), 0);
    const left = Object.keys(await test.repository.files());
    expect(left.filter((path) => path.startsWith("clusters/"))).toEqual([]);
    expect(left).toEqual(files.filter((path) => !path.startsWith("clusters/")));
    await onBoth(async (cluster) => {
      const { api } = cluster;
      await cluster.until("everything goes", async () => {
        const objects = await Promise.all([
          api.list("source.toolkit.fluxcd.io/v1", "GitRepository"),
          api.list("kustomize.toolkit.fluxcd.io/v1", "Kustomization"),
          api.list("v1", "Secret"),
          api.list("apps/v1", "Deployment"),
        ]);
        return objects.flat().length === 0;
      });
      for (const name of ["base", "odd", "after", "infrastructure"]) {
        expect(await cluster.data(name)).toBeUndefined();
      }
    });
  });

  /** Updates until the output `compliance` of both clusters says all of these words. */
  async function reported(...words: string[]): Promise<void> {
    await clusters[0]?.until(`compliance says ${words.join(", ")}`, async () => {
      await update();
      const texts = await Promise.all(names.map(async (name) => JSON.stringify(await compliance(name))));
      return texts.every((text) => words.every((word) => text.includes(word)));
    });
  }

  /** What was asked of Azure: the inputs of every resource there. */
  async function onAzure(): Promise<unknown> {
    const state = await stack.must(["stack", "export", "--stack", stack.name]);
    const {
      deployment: { resources },
    } = JSON.parse(state) as {
      deployment: { resources: { urn: string; type: string; inputs: unknown }[] };
    };
    return resources
      .filter(({ type }) => type.startsWith("azure-native:"))
      .map(({ urn, inputs }) => ({ urn, inputs }))
      .sort((a, b) => (a.urn < b.urn ? -1 : 1));
  }
});
