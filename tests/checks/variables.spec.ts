import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { substitutions } from "../../checks/substitution.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";
import { faultsIn } from "./repository.ts";

const object = (data: string, metadata = "name: a") =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { ${metadata} }\ndata: { value: '${data}' }\n`;
const withVariables = (name: string, substitute: Record<string, string>, more = {}) =>
  setOf(name, { postBuild: { substitute }, ...more });
const edge = (...sets: ReturnType<typeof setOf>[]) => fleetOf(clusterOf("edge-0", sets));
const newer = { flux: { version: "2.9", lockdown: true } };

describe("what Flux reads as a variable", () => {
  it.each([
    ["${a} and ${b_1}", ["a", "b_1"], []],
    ["${a:-none} ${b:=none} ${c=none} ${d:?none} ${e:+some}", ["a?", "b?", "c?", "d?", "e?"], []],
    ["${#a} ${a^^} ${a,,} ${a/x/y} ${a:1:2} ${a%%.*} ${a##*/}", ["a", "a", "a", "a", "a", "a", "a"], []],
    ["${a:-${b}} ${c:-${d:-e}}", ["a?", "b", "c?", "d?"], []],
    ["$${a} $a $ {a} $$ $$${b}", ["b"], []],
    ["${a-b}", [], ["${a-b}"]],
    ["${} ${ a } ${a", [], ["${}", "${ a }", "${a"]],
  ])("%s", (text, names, faults) => {
    const found = substitutions(text);
    expect(found.references.map(({ name, optional }) => `${name}${optional ? "?" : ""}`)).toEqual(names);
    expect(found.faults).toEqual(faults);
  });

  it("takes any text without failing, and sees nothing where there is no ${", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("$", "{", "}", ":", "-", "a", "#", "\n") }), (text) => {
        const { references, faults } = substitutions(text);
        if (!text.includes("${")) expect([references, faults]).toEqual([[], []]);
      }),
    );
  });
});

describe("variables that nothing uses", () => {
  it("are told once, and only where everything can be seen", async () => {
    const fleet = fleetOf(
      clusterOf("a", [
        withVariables("pos", { site: "1", zone: "b", old: "x" }),
        withVariables("web", { old: "x" }),
      ]),
      clusterOf("b", [withVariables("pos", { site: "2", zone: "b", old: "y" })]),
    );
    const files = { "apps/pos/a.yaml": object("${site}"), "apps/web/a.yaml": object("${zone:-z}") };
    expect(await faultsIn(fleet, files)).toEqual([
      "warning: clusters.a.variables.old: nothing uses the variable old (of 2 clusters): no manifest of sets pos, web has ${old}; remove it, or use it",
      "warning: clusters.a.variables.zone: nothing uses the variable zone (of 2 clusters): no manifest of set pos has ${zone}; remove it, or use it",
    ]);
  });

  it("are not told when a base, a patch, a generator or a component may use them", async () => {
    const fleet = edge(
      withVariables(
        "pos",
        { a: "1", b: "1", c: "1", d: "1", e: "1" },
        {
          components: ["../../components/x"],
          patches: [{ patch: "metadata: { labels: { e: '${e}' } }" }],
        },
      ),
    );
    const files = {
      "apps/pos/kustomization.yaml":
        "resources: [../../base]\npatches: [{ path: patch.yaml }]\nconfigMapGenerator: [{ name: x, files: [key=run.sh] }]\n",
      "apps/pos/patch.yaml": object("${b}"),
      "apps/pos/run.sh": "echo ${c}\n",
      "base/kustomization.yml": "resources: [a.yaml]\n",
      "base/a.yaml": object("${a}"),
      "components/x/kustomization.yaml": "kind: Component\nresources: [d.yaml]\n",
      "components/x/d.yaml": object("${d}"),
    };
    expect(await faultsIn(fleet, files)).toEqual([]);
  });

  it.each([
    ["comes by a URL", { "apps/pos/kustomization.yaml": "resources: [https://example.com/a.yaml]\n" }],
    ["is encrypted", { "apps/pos/a.yaml": `${object("ENC[AES256_GCM,data:x]")}sops: { mac: x }\n` }],
    ["is no text", { "apps/pos/a.yaml": "a\0b" }],
    ["is a link", { "apps/pos/a.yaml": { mode: "120000", data: "../b.yaml" } }],
  ])("are not told where something %s", async (_, files) => {
    expect(await faultsIn(edge(withVariables("pos", { a: "1" })), files)).toEqual([]);
  });
});

describe("variables that nothing defines", () => {
  const files = { "apps/pos/a.yaml": object("${site_cod} ${site_code} ${x:-1} $${y}") };
  const message =
    /^warning: clusters\.edge-0\.sets\.pos: apps\/pos\/a\.yaml has \$\{site_cod}, which nothing defines for set pos, so (.*); add site_cod to variables \(did you mean site_code\?\), or write \$\{site_cod:-default}, or \$\$\{site_cod} for the text itself$/;

  it("are told where Flux refuses them, from 2.9 on, and before that when strict", async () => {
    const sets = [withVariables("pos", { site_code: "1" })];
    const old = fleetOf(clusterOf("edge-0", sets));
    expect(await faultsIn(old, files)).toEqual([]);
    const [strict = "", ...none] = await faultsIn(old, files, { strict: true });
    expect([message.exec(strict)?.[1], none]).toEqual(["Flux would put nothing in its place", []]);
    const [found = ""] = await faultsIn(fleetOf(clusterOf("edge-0", sets, newer)), files);
    expect(message.exec(found)?.[1]).toBe("Flux 2.9 refuses to apply the set");
  });

  it("are not told where they may come from the cluster, or nothing is substituted at all", async () => {
    const from = setOf("pos", { postBuild: { substituteFrom: [{ kind: "ConfigMap", name: "x" }] } });
    for (const set of [from, setOf("pos")]) {
      expect(await faultsIn(fleetOf(clusterOf("edge-0", [set], newer)), files)).toEqual([]);
    }
    const always = setOf("pos", { postBuild: { substituteStrategy: "Always" } });
    expect(await faultsIn(fleetOf(clusterOf("edge-0", [always], newer)), files)).toHaveLength(2);
  });

  it("are not looked for in comments and in objects that are not substituted", async () => {
    const off = "kustomize.toolkit.fluxcd.io/substitute: disabled";
    const texts = [
      `# \${gone}\n${object("${a}")}`,
      object("${gone}", `name: a, labels: { ${off} }`),
      object("${gone}", `name: b, annotations: { ${off} }`),
    ];
    const set = withVariables("pos", { a: "1" });
    const found = await faultsIn(fleetOf(clusterOf("edge-0", [set], newer)), {
      "apps/pos/a.yaml": texts.join("---\n"),
    });
    expect(found).toEqual([]);
  });

  it("are told apart from what Flux cannot read at all, which fails in every version", async () => {
    const found = await faultsIn(edge(withVariables("pos", { a: "1" })), {
      "apps/pos/a.yaml": object("${a} ${a-b} ${a[0]}"),
    });
    expect(found).toEqual([
      'warning: clusters.edge-0.sets.pos: apps/pos/a.yaml has "${a-b}", "${a[0]}", which Flux cannot read as a variable, so it refuses to apply the set; correct it, or write $${ for the text itself',
    ]);
  });
});
