import { resourcePolicy } from "../../azurePolicy.ts";
import { asMap, asText, shown } from "../../plainValue.ts";
import { isExtension } from "../../resourceTypes.ts";

/** What cannot be changed later is no place for a default. */
export const explicitCreateOnly = resourcePolicy({
  name: "explicit-create-only-fields",
  description:
    "The Flux extension states what cannot be changed once it exists: its scope and release namespace.",
  why: "Changing one later replaces the extension, and Flux deletes what it applied.",
  of: isExtension,
  checks: [
    ({ props }) => {
      if (props["extensionType"] !== "microsoft.flux") return undefined;
      const scope = asMap(props["scope"]);
      const namespace = asText(asMap(scope?.["cluster"])?.["releaseNamespace"]);
      if (namespace === "flux-system") return undefined;
      return `scope.cluster.releaseNamespace is ${shown(namespace)}; write 'flux-system'.`;
    },
  ],
});
