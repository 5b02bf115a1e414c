import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { asObject } from "../azure/json.ts";

/** What the lab reads of a chart. */
export interface HelmChart {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
}

/** A chart folder's Chart.yaml. Throws with the reason when it is not the folder of a chart on this machine. */
export function readHelmChart(chart: string): HelmChart {
  if (/^\w+:\/\//.test(chart)) {
    throw new Error(
      `The lab is offline and cannot fetch the chart '${chart}'. Point ARCFLUX_AGENTS_CHART at a folder with a chart.`,
    );
  }
  const file = path.join(chart, "Chart.yaml");
  if (!existsSync(file)) throw new Error(`There is no chart in '${chart}': ${file} is missing.`);
  const { name, version, appVersion } = asObject(parse(readFileSync(file, "utf8")));
  if (typeof name !== "string" || typeof version !== "string") {
    throw new Error(`${file} names no chart: 'name' and 'version' are required.`);
  }
  return { name, version, appVersion: typeof appVersion === "string" ? appVersion : "" };
}
