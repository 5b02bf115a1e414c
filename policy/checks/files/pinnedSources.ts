import { asMap, asText } from "../../../values/maps.ts";
import { isProduction, productionStages } from "../../about.ts";
import { filePolicy } from "../../filePolicy.ts";
import type { PlainMap } from "../../plainValue.ts";
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
    if (isPinned(asMap(spec["ref"]))) return undefined;
    // What follows the stage's own branch moves by promotion.
    const url = asText(spec["url"]) ?? "";
    if (repositoryIdentity(url) === repositoryIdentity(repository)) return undefined;
    return `spec.ref states no tag, commit or digest, in stage '${stage}'; pin the source there, such as pins: { name: { tag: v1.0.0 } }.`;
  },
});

/** In the order in which Flux takes them: a range beats a tag, and `latest` is a tag that moves. */
function isPinned({ commit, digest, name, semver, tag }: PlainMap): boolean {
  if (asText(commit) !== undefined || asText(digest) !== undefined) return true;
  const reference = asText(name);
  if (reference !== undefined) return reference.startsWith("refs/tags/");
  const isRange = asText(semver) !== undefined && !/^v?\d+\.\d+\.\d+[\w.+-]*$/.test(`${semver as string}`);
  return !isRange && ((asText(tag) ?? "latest") !== "latest" || asText(semver) !== undefined);
}
