import { asMap, asText } from "../../../values/maps.ts";
import { isProduction, productionStages } from "../../about.ts";
import { filePolicy } from "../../filePolicy.ts";
import { repositoryIdentity } from "../../repositoryUrl.ts";

/** What moves by itself reaches all of production at once, past every stage. */
export const pinnedSources = filePolicy({
  name: "pinned-sources",
  description: "In production a source stays on a tag, a commit or a digest.",
  why: "A branch or a range moves by itself and reaches every production cluster at once, past all stages.",
  configSchema: { properties: { stages: productionStages } },
  check: ({ kind, group, spec }, { stage, repository, settings }) => {
    if (group !== "source.toolkit.fluxcd.io" || !["GitRepository", "OCIRepository"].includes(kind))
      return undefined;
    if (!isProduction(stage, settings["stages"])) return undefined;
    const { tag, commit, digest, name } = asMap(spec["ref"]);
    if (tag !== undefined || commit !== undefined || digest !== undefined) return undefined;
    if (asText(name)?.startsWith("refs/tags/")) return undefined;
    // What follows the stage's own branch moves by promotion.
    const url = asText(spec["url"]) ?? "";
    if (repositoryIdentity(url) === repositoryIdentity(repository)) return undefined;
    return `spec.ref states no tag, commit or digest, in stage '${stage}'; pin the source there, such as pins: { name: { tag: v1.0.0 } }.`;
  },
});
