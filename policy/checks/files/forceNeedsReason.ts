import { asList, asMap, asText } from "../../../values/maps.ts";
import { andConfigurations, filePolicy } from "../../filePolicy.ts";
import type { PlainMap } from "../../plainValue.ts";

const reason = "arcflux.io/force-reason";

/** Fields of a HelmRelease under which force stands. */
const actions = ["upgrade", "rollback"] as const;

const inFiles = filePolicy({
  name: "force-needs-reason",
  description: "A Kustomization, a HelmRelease or an object that Flux is to force says why.",
  why: "With force Flux deletes an object whose change is refused and makes it anew, a volume claim with its data.",
  check: ({ kind, group, spec, whole }) => {
    const annotations = asMap(asMap(whole["metadata"])["annotations"]);
    const labels = asMap(asMap(whole["metadata"])["labels"]);
    const isFlux = group.endsWith(".toolkit.fluxcd.io") && ["Kustomization", "HelmRelease"].includes(kind);
    const forced =
      (isFlux ? forcedBy(spec) : undefined) ??
      (annotations[ofObject] === "enabled" || labels[ofObject] === "enabled"
        ? `${ofObject} is enabled`
        : undefined);
    if (forced === undefined || asText(annotations[reason]) !== undefined) return undefined;
    return `${forced} without a reason; take it out, or write the annotation ${reason} there.`;
  },
});

/** What Flux reads on each object that it applies. */
const ofObject = "kustomize.toolkit.fluxcd.io/force";

/** What has Flux delete and make anew what it cannot change; undefined where nothing has. */
function forcedBy(spec: PlainMap): string | undefined {
  if (spec["force"] === true) return "spec.force is true";
  const action = actions.find((one) => asMap(spec[one])["force"] === true);
  if (action !== undefined) return `spec.${action}.force is true`;
  const patches = asList(spec["patches"]).map((one) => asText(asMap(one)["patch"]) ?? "");
  return patches.some((text) => text.includes(ofObject)) ? `${ofObject} is in spec.patches` : undefined;
}

/** `force` deletes an object whose change is refused, and makes it anew: a volume claim with what is in it. */
export const forceNeedsReason = andConfigurations(inFiles, (props) => {
  const kustomizations = asMap(props["kustomizations"]);
  return Object.keys(kustomizations).map(
    (key) => () =>
      asMap(kustomizations[key])["force"] === true
        ? `kustomizations.${key}.force is true; write bootstrap: { force: false } in the fleet file, or exempt the cluster with a reason.`
        : undefined,
  );
});
