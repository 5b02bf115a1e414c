import type { Path } from "../finding.ts";
import { own } from "../layers.ts";
import type { Dependency } from "../model.ts";
import type { SpecKind } from "../structure.ts";
import { eachSet } from "./eachSet.ts";
import { pinKeys } from "./pins.ts";
import { Shared, type Check } from "./report.ts";

/** The specs of all Flux objects, against Flux's own schema of the version that the cluster runs. */
export const checkStructure: Check = (checked) => {
  const { fleet, views, options } = checked;
  const { validateSpec } = options;
  if (validateSpec === undefined) return;
  const shared = new Shared();
  type Version = Parameters<typeof validateSpec>[1];
  const check = (
    kind: SpecKind,
    cluster: (typeof fleet.clusters)[number],
    spec: unknown,
    at: (inner: Path) => Path,
  ) => {
    for (const { path, message } of validateSpec(kind, cluster.flux.version as Version, spec)) {
      // checks/pins.ts has said so.
      const [field, key] = path;
      if (field === "ref" && kind in pinKeys && !fitsPin(kind, key)) continue;
      shared.add(at(path), message, cluster.name);
    }
  };

  eachSet(checked, ({ cluster, set, at }) => {
    const { spec, sourceRef, dependsOn } = set;
    const whole = { ...spec, sourceRef, ...(dependsOn.length > 0 && { dependsOn: dependsOn.map(plain) }) };
    check("Kustomization", cluster, whole, (path) => at(...path));
  });
  for (const [index, cluster] of fleet.clusters.entries()) {
    for (const { name, kind, spec } of cluster.sources) {
      const holder = views[index]!.holders.findLast(({ entry }) => own(entry.pins ?? {}, name));
      check(kind, cluster, spec, ([field = "", ...inner]) =>
        holder && field === "ref"
          ? [...holder.path, "pins", name, ...inner]
          : ["sources", name, field, ...inner],
      );
    }
    for (const { name, provider, spec } of cluster.alerts) {
      check("Provider", cluster, provider, (path) => ["alerts", name, "provider", ...path]);
      const whole = { ...spec, providerRef: { name }, eventSources: [{ kind: "Kustomization", name: "*" }] };
      check("Alert", cluster, whole, (path) => ["alerts", name, ...path]);
    }
  }
  shared.report(checked.report);
};

function fitsPin(kind: SpecKind, key: Path[number] | undefined): boolean {
  return key === undefined || (pinKeys[kind as keyof typeof pinKeys] as Path).includes(key);
}

function plain({ name, namespace, readyExpr }: Dependency) {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(readyExpr !== undefined && { readyExpr }),
  };
}
