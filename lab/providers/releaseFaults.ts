import type { Json } from "../azure/json.ts";
import { isObject } from "../azure/json.ts";
import { readHelmChart } from "./helmChart.ts";
import type { CheckFailure } from "./standIn.ts";
import { isUnknown } from "./values.ts";

export const releaseType = "kubernetes:helm.sh/v3:Release";

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** What Helm would refuse in the inputs of a release. Values are not shown: they hold secrets. */
export function releaseFaults(type: string, inputs: Json): CheckFailure[] {
  if (type !== releaseType) {
    return [{ property: "", reason: `${type} is not in the lab without a cluster; ${releaseType} is.` }];
  }
  const failures: CheckFailure[] = [];
  const { chart, name, namespace, values, repositoryOpts } = inputs;
  if (typeof chart !== "string" || chart === "") {
    failures.push({ property: "chart", reason: "missing required property 'chart'" });
  } else if (isObject(repositoryOpts) && repositoryOpts["repo"] !== undefined) {
    failures.push({
      property: "chart",
      reason: "The lab is offline and has no chart repositories; give a folder.",
    });
  } else if (!isUnknown(chart)) {
    try {
      readHelmChart(chart);
    } catch (error) {
      failures.push({ property: "chart", reason: (error as Error).message });
    }
  }
  failures.push(...nameFaults("name", name, 53), ...nameFaults("namespace", namespace, 63));
  if (values !== undefined && !isObject(values) && !isUnknown(values)) {
    failures.push({ property: "", reason: "values must be an object." });
  }
  return failures;
}

function nameFaults(property: string, value: unknown, longest: number): CheckFailure[] {
  if (value === undefined || value === null || isUnknown(value)) return [];
  if (typeof value === "string" && label.test(value) && value.length <= longest) return [];
  const reason = `${JSON.stringify(value)} must have 1 to ${longest} lower-case letters, digits and '-'.`;
  return [{ property, reason }];
}
