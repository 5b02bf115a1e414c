import { listed, texts } from "../../about.ts";
import { resourcePolicy } from "../../azurePolicy.ts";
import { asMap, asText, type PlainMap } from "../../plainValue.ts";
import { isTagged } from "../../resourceTypes.ts";

/** Tags say who pays and who is called; the level `remediate` writes those that have a default. */
export const requiredTags = resourcePolicy({
  name: "required-tags",
  description: "Resources in Azure that take tags have the required ones.",
  why: "Without tags nobody knows who owns a cluster, and who pays for it.",
  configSchema: {
    properties: {
      tags: texts("Names of tags that must be there."),
      defaults: {
        type: "object",
        additionalProperties: { type: "string" },
        default: {},
        description: "Values that the level remediate writes where a tag is missing.",
      },
    },
  },
  of: isTagged,
  checks: [
    ({ props, settings }) => {
      const missing = missingTags(props, settings);
      if (missing.length === 0) return undefined;
      return `tags lack ${missing.map((tag) => `'${tag}'`).join(", ")}; write arc: { tags: { ${missing[0]}: … } } in the fleet file.`;
    },
  ],
  remediate: (props, settings) => {
    const defaults = asMap(settings["defaults"]) ?? {};
    return missingTags(props, settings)
      .filter((tag) => asText(defaults[tag]) !== undefined)
      .map((tag) => ({ path: ["tags", tag], value: defaults[tag] }));
  },
});

function missingTags(props: PlainMap, settings: PlainMap): string[] {
  const tags = asMap(props["tags"]) ?? {};
  return listed(settings["tags"]).filter((tag) => asText(tags[tag]) === undefined);
}
