import fc from "fast-check";
import { stringify } from "yaml";
import { describe, expect, it, vi } from "vitest";
import { anySpec } from "../flux/anySpec.ts";
import { foundOnCluster, importClusters, objectsOf as objectsIn } from "../../import/index.ts";
import { importFiles, objectsOf, roundTrip } from "./meaning.ts";

const header = (name: string, api = "v1"): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/${api}\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system }\n`;
const required =
  "interval: 10m, prune: true, path: ./a, sourceRef: { kind: GitRepository, name: flux-system }";
const refusals = (text: string): string[] =>
  importFiles({ "a.yaml": text }, { repositoryUrl: "https://git.example.com/f.git" })
    // What the comparison at the end says of them follows from these.
    .notTaken.filter(({ reason }) => !reason.startsWith("differs from before"))
    .map(({ path, reason }) => `${path}: ${reason}`);

describe("a set that a fleet file cannot have", () => {
  const clusters = 120;
  const found = Array.from({ length: clusters }, (_, index) =>
    foundOnCluster(
      `edge-${index}`,
      objectsIn(
        `edge-${index}.yaml`,
        `${header("good")}spec: { ${required} }\n---\n` +
          `${header("bad")}spec: { ${required}, dependsOn: [{ name: nowhere }] }\n`,
      ).objects,
    ),
  );

  // One cluster a load would take minutes.
  it("is left out of all clusters at once, each with a reason of its own", { timeout: 30_000 }, () => {
    const { notTaken, proof } = importClusters(found, { repositoryUrl: "https://git.example.com/f.git" });
    const left = notTaken.filter(({ path }) => path === "Kustomization bad");
    expect(left.map(({ file }) => file).sort()).toEqual(
      Array.from({ length: clusters }, (_, index) => `edge-${index}.yaml`).sort(),
    );
    expect(new Set(left.map(({ reason }) => reason)).size).toBe(1);
    expect(left[0]!.reason).not.toContain("more");
    expect(proof.equal).toBe(clusters);
  });
});

describe("old fields", () => {
  it("serviceAccount and the two kinds of patches are translated", () => {
    const old = `${header("a", "v1beta1")}spec:
  interval: 10m
  prune: true
  path: ./a
  sourceRef: { kind: GitRepository, name: flux-system }
  serviceAccount: { name: deployer, namespace: tools }
  patchesStrategicMerge:
    - apiVersion: v1
      kind: ConfigMap
      metadata: { name: x }
      data: { on: "yes" }
  patchesJson6902:
    - target: { kind: Deployment, name: web }
      patch:
        - { op: add, path: /spec/replicas, value: 3 }
`;
    const { rendered } = roundTrip({ "a.yaml": old });
    expect(rendered["Kustomization a"]).toMatchObject({
      spec: {
        serviceAccountName: "deployer",
        patches: [
          // "on" is a key like any other here, and YAML 1.1 would read it as true: it stays text.
          { patch: expect.stringMatching(/kind: ConfigMap\n[\s\S]*: "?yes"?\n/) as string },
          {
            patch: '[{"op":"add","path":"/spec/replicas","value":3}]\n',
            target: { kind: "Deployment", name: "web" },
          },
        ],
      },
    });
    expect(refusals(old)).toEqual([
      "Kustomization a: apiVersion: is an old one; it is written as v1",
      "Kustomization a: spec.serviceAccount: is called serviceAccountName now, and written so",
      "Kustomization a: spec.serviceAccount.namespace: is gone: Flux takes the account of that name in the set's own namespace; see that it is there, with the same rights",
      "Kustomization a: spec.patchesStrategicMerge: is written as patches",
      "Kustomization a: spec.patchesJson6902: is written as patches",
    ]);
  });

  it("validation is named as gone", () => {
    expect(refusals(`${header("a", "v1beta1")}spec: { ${required}, validation: client }\n`)).toEqual([
      "Kustomization a: apiVersion: is an old one; it is written as v1",
      "Kustomization a: spec.validation: is gone: Flux validates every object on the server",
    ]);
  });
});

describe("what cannot be taken", () => {
  it("a field that Flux does not know is named and left out, at any depth", () => {
    expect(
      refusals(
        `${header("a")}spec: { ${required}, decription: {}, decryption: { provider: sops, key: 1 } }\n`,
      ),
    ).toEqual([
      "Kustomization a: spec.decription: is not a field that Flux knows, and is left out",
      "Kustomization a: spec.decryption.key: is not a field that Flux knows, and is left out",
    ]);
  });

  it("a second Kustomization of one name is named, with the file of the first", () => {
    const { notTaken, sets } = importFiles({
      "b.yaml": `${header("a")}spec: { ${required} }\n`,
      "a.yaml": `${header("a")}spec: { ${required} }\n`,
    });
    expect(sets).toEqual(["a"]);
    expect(notTaken[0]).toEqual({
      file: "a.yaml",
      path: "Kustomization a",
      reason: expect.stringMatching(/^is left out: the root applies another one of that name/) as string,
      matter: "object",
    });
  });

  it("no message repeats a value, which may be a secret", () => {
    const secret = "hunter2-hunter2";
    const text = `${header("a")}spec: { ${required}, timeout: "${secret}", targetNamespace: { a: "${secret}" } }
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec: { interval: 1m, url: "https://me:${secret}@git.example.com/f.git" }
---
bad: [${secret}
`;
    const { notTaken, fleetYaml } = importFiles({ "a.yaml": text });
    expect(notTaken.length).toBeGreaterThan(3);
    expect(JSON.stringify(notTaken)).not.toContain(secret);
    expect(fleetYaml).not.toContain(secret);
  });

  it("no warning of the parser repeats one either", () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    try {
      importFiles({ "a.yaml": `${header("a")}spec: { ${required} }\n---\nkind: X\n{ hunter2: 1 }: 2\n` });
      expect(warned).not.toHaveBeenCalled();
    } finally {
      warned.mockRestore();
    }
  });

  it("stands as comments in the fleet file, whatever a file is called", () => {
    const { fleetYaml } = importFiles({
      "a\nkind: b.txt": "",
      "b.yaml": `${header("a")}spec: { ${required} }\n`,
    });
    expect(fleetYaml).toContain("# - a kind: b.txt: is not YAML; leave it where it is\n");
  });
});

describe("what a person has to decide", () => {
  it.each(["labels", "annotations"])(
    "a set behind the mark in %s that windows once flipped is taken without it, suspended, and the window is named",
    (where) => {
      const marked = header("a").replace(
        "flux-system }",
        `flux-system, ${where}: { kustomize.toolkit.fluxcd.io/reconcile: disabled, team: edge } }`,
      );
      const { rendered, notTaken } = roundTrip({ "a.yaml": `${marked}spec: { ${required} }\n` });
      expect(rendered["Kustomization a"]).toMatchObject({
        metadata: { [where]: { team: "edge" } },
        spec: { suspend: true },
      });
      expect(JSON.stringify(rendered)).not.toContain("toolkit.fluxcd.io/reconcile");
      expect(notTaken.map(({ reason }) => reason)).toContainEqual(
        expect.stringContaining("declare a window"),
      );
    },
  );

  it("a suspended set gets a reason to fill in, or keeps the one that Arcflux wrote", () => {
    const { rendered, fleetYaml } = roundTrip({
      "a.yaml": `${header("a")}spec: { ${required}, suspend: true }\n`,
    });
    expect(rendered["Kustomization a"]).toMatchObject({ spec: { suspend: true } });
    expect(fleetYaml).toContain("reason: Suspended when it was imported\n");
    const ours = `${header("a").replace("flux-system }", 'flux-system, annotations: { arcflux.io/suspend-reason: INC-1, arcflux.io/suspend-until: "2026-12-24" } }')}spec: { ${required}, suspend: true }\n`;
    const again = importFiles({ "a.yaml": ours }).fleetYaml;
    expect(again).toContain("reason: INC-1\n");
    expect(again).toMatch(/until: "?2026-12-24"?\n/);
  });

  it("a dependency on nothing that is there stays a finding, in whatever namespace, and is never marked external", () => {
    const dependent = (entry: string, own = ""): string =>
      `${header("a").replace("flux-system", own || "flux-system")}spec: { ${required}, dependsOn: [${entry}] }\n`;
    const inner = header("inner").replace(
      "flux-system }",
      "data, labels: { kustomize.toolkit.fluxcd.io/name: b } }",
    );
    const rest = `---\n${header("b")}spec: { ${required} }\n---\n${inner}spec: { ${required} }\n`;
    for (const entry of [
      "{ name: c }",
      "{ name: c, namespace: data }",
      "{ name: inner }",
      "{ name: b, namespace: data }",
    ]) {
      const { sets, fleetYaml, notTaken } = importFiles({ "a.yaml": dependent(entry) + rest });
      expect([entry, sets]).toEqual([entry, ["b"]]);
      expect(fleetYaml).not.toMatch(/^ +external: true$/m);
      expect(notTaken.map(({ path, reason }) => `${path}: ${reason}`).join("\n")).toMatch(
        /Kustomization a: is left out, .*depends on "/,
      );
    }
    // What a set applies is there, and no set.
    const { sets, fleetYaml } = importFiles({
      "a.yaml": dependent("{ name: inner, namespace: data }") + rest,
    });
    expect(sets).toEqual(["a", "b"]);
    expect(fleetYaml).toMatch(/^ +external: true$/m);
  });

  it("a set without prune means what it meant, and is noted", () => {
    const { rendered, proof, notTaken } = roundTrip({
      "a.yaml": `${header("a")}spec: { ${required.replace("prune: true, ", "")} }\n`,
    });
    expect(proof).toEqual({ equal: 1, differ: [] });
    expect(rendered["Kustomization a"]).toMatchObject({ spec: { path: "/a" } });
    expect(notTaken.map(({ path }) => path)).toContain("Kustomization a: spec.prune");
  });

  it("lockdown is off with other namespaces", () => {
    const text = `${header("a")}spec: { ${required}, dependsOn: [{ name: b }, { name: c, namespace: data }] }\n---\n${header("b")}spec: { ${required} }\n---\n${header("c").replace("flux-system", "data")}spec: { ${required}, serviceAccountName: x }\n`;
    const { fleetYaml, notTaken } = roundTrip({ "a.yaml": text });
    expect(fleetYaml).toContain("lockdown: false\n");
    // Nothing in the folder says so: it is told, also in the file.
    expect(notTaken.map(({ path }) => path)).toContain("flux.lockdown");
    expect(fleetYaml).toMatch(/^# - flux\.lockdown: is written as false, /m);
  });

  it("numbers among the variables become the text that stands in the file", () => {
    const text = `${header("a")}spec: { ${required}, postBuild: { substitute: { code: 0042, on: yes, at: 12:30, day: 2024-01-01 } } }\n`;
    const { rendered, notTaken } = roundTrip({ "a.yaml": text });
    expect(rendered["Kustomization a"]).toMatchObject({
      spec: { postBuild: { substitute: { code: "0042", at: "12:30", day: "2024-01-01" } } },
    });
    expect(notTaken.map(({ path }) => path)).toContain("Kustomization a: spec.postBuild.substitute.code");
  });
});

describe("the repository that a root follows", () => {
  const hosts = [
    "https://h.example.com/f.git",
    "http://h.example.com/f.git",
    "http://127.0.0.1:80/f.git",
    "ssh://git@h.example.com:22/f.git",
    "git@h.example.com:f.git",
    "https://u:p@h.example.com/f.git",
    "https://me@dev.azure.com/o/_git/f",
    "ftp://h/f",
    "${URL}",
  ];
  const cases = hosts.flatMap((host) =>
    ["", ", secretRef: { name: s }", ", provider: azure"].flatMap((more) =>
      [undefined, "https://o.example.com/f.git", "git@o.example.com:f.git"].map(
        (repositoryUrl) => [host, more, repositoryUrl] as const,
      ),
    ),
  );
  const repositoryOf = ([host, more, repositoryUrl]: (typeof cases)[number]) =>
    roundTrip(
      {
        "a.yaml": `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: fleet, namespace: flux-system }
spec: { interval: 1m, url: "${host}"${more}, ref: { branch: main } }
---
${header("flux-system")}spec: { ${required.replace("name: flux-system", "name: fleet")} }
---
${header("a")}spec: { ${required.replace("name: flux-system", "name: fleet")} }
`,
      },
      repositoryUrl === undefined ? {} : { repositoryUrl },
    );

  it("is one that validates, whatever it says and whatever URL is given instead", () => {
    expect(cases).toHaveLength(81);
    for (const each of cases) {
      const { proof, notTaken } = repositoryOf(each);
      expect([each, proof.equal, notTaken.filter(({ path }) => path === "validate")]).toEqual([each, 1, []]);
    }
  });

  it.each([
    [hosts[0]!, ", provider: azure", "token", /spec\.provider: signs in as the cluster's own identity/],
    [hosts[1]!, ", secretRef: { name: s }", "token", /repository\.url: is written with https/],
    [hosts[3]!, ", secretRef: { name: s }", "ssh", /spec\.secretRef: is made anew/],
    [hosts[8]!, "", undefined, /spec\.url: is nothing that Flux takes/],
  ])("%s%s has access %s", (host, more, access, said) => {
    const { fleetYaml, refusals } = repositoryOf([host, more, undefined]);
    expect(/^ {2}access: (.*)$/m.exec(fleetYaml)?.[1]).toBe(access);
    expect(refusals.join("\n")).toMatch(said);
  });
});

describe("any Kustomization", () => {
  it("renders to the same meaning from its fleet file", () => {
    fc.assert(
      fc.property(anySpec, (value) => {
        const object = {
          apiVersion: "kustomize.toolkit.fluxcd.io/v1",
          kind: "Kustomization",
          metadata: { name: "shop", namespace: "flux-system" },
          spec: value,
        };
        const yaml = stringify(object, { version: "1.1" });
        expect(roundTrip({ "a.yaml": yaml }).rendered).toEqual(
          objectsOf([yaml.replace("path: ../e", "path: ./e")]),
        );
      }),
      { numRuns: 150 },
    );
  });
});

it.each([
  [
    "circles of aliases",
    "kind: Kustomization\nspec: &a { more: *a }\n",
    "an alias inside of what it stands for",
  ],
  [
    "aliases that stand for millions",
    `kind: Kustomization\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 8 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}*a${n}]`).join("\n")}\n`,
    "stands for more than",
  ],
  [
    "a nest without an end",
    `kind: Kustomization\nspec: ${"[".repeat(5000)}${"]".repeat(5000)}`,
    "resource exhaustion",
  ],
])("leaves out a file with %s, in a line, and takes the others", (_, text, reason) => {
  const good = `${header("a")}spec: { ${required} }\n`;
  const { sets, notTaken } = importFiles({ "bad.yaml": text, "good.yaml": good });
  expect(sets).toEqual(["a"]);
  expect(notTaken.find(({ file }) => file === "bad.yaml")?.reason).toContain(reason);
});
