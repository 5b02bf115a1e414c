import { posix } from "node:path";

import { setAnnotations } from "../../../flux/kustomization.ts";
import { asMap, asText } from "../../../values/maps.ts";
import { filePolicy } from "../../filePolicy.ts";
import { shown } from "../../plainValue.ts";

/** A windowed set that takes from a live source changes at any time. */
export const windowedBehindWindow = filePolicy({
  name: "windowed-behind-window",
  description:
    "A set of a maintenance window takes from the window's source, and lies in the window's folder.",
  why: "Elsewhere it would change at any time, while everybody takes it for held.",
  check: ({ kind, group, spec, whole }, { path }) => {
    if (kind !== "Kustomization" || group !== "kustomize.toolkit.fluxcd.io") return undefined;
    const folder = /(?:^|\/)windows\/([^/]+)$/.exec(posix.dirname(path))?.[1];
    const annotations = asMap(asMap(whole["metadata"])["annotations"]);
    const window = asText(annotations[setAnnotations.window]) ?? folder;
    if (window === undefined) return undefined;
    if (folder !== window)
      return `it is a set of window '${window}', and does not lie in windows/${window}; run pulumi up to write it there.`;
    const source = asText(asMap(spec["sourceRef"])["name"]);
    const own = `window-${window}`;
    if (source === own || source?.startsWith(`${own}.`)) return undefined;
    return `spec.sourceRef.name is ${shown(source)}, and window '${window}' holds only '${own}' and copies of sources in it; take window off the set, or pin its source in the fleet file.`;
  },
});
