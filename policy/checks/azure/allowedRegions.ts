import { regionKey } from "../../../values/region.ts";
import { listed, texts } from "../../about.ts";
import { resourcePolicy } from "../../azurePolicy.ts";
import { asText } from "../../plainValue.ts";
import { isAzure } from "../../resourceTypes.ts";

/** Where data may lie is often a matter of law. */
export const allowedRegions = resourcePolicy({
  name: "allowed-regions",
  description: "Resources in Azure are in allowed regions.",
  why: "Where the data of a cluster lies may be a matter of law, and a location cannot be changed later.",
  configSchema: { properties: { regions: texts("Regions, such as westeurope. Default: all regions.") } },
  of: isAzure,
  checks: [
    ({ props, settings }) => {
      const regions = listed(settings["regions"]).map(regionKey);
      const location = asText(props["location"]);
      if (regions.length === 0 || location === undefined || regions.includes(regionKey(location)))
        return undefined;
      return `location is '${location}'; allowed are ${regions.join(", ")}. Write arc: { location: ${regions[0]} } in the fleet file.`;
    },
  ],
});
