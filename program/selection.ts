import * as pulumi from "@pulumi/pulumi";

import type { Cluster, Fleet } from "../fleet/model.ts";
import { selectClusters, type Selection, SelectionError } from "../fleet/select.ts";

const key = "arcflux:clusters";
const forms = `write names as edge-1,edge-2 or labels, each once, as kind=store,ring=canary`;

/**
 * Reads stack config `arcflux:clusters`: names or labels with commas between them, or the JSON that
 * `pulumi config set --path` makes, a list of names or a map of labels. Throws a RunError for anything else.
 */
export function parseSelection(text: string): Selection {
  const value: unknown = /^\s*[[{]/.test(text) ? parseJson(text) : text.split(",").map((part) => part.trim());
  if (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((part) => typeof part === "string" && part !== "")
  ) {
    const parts = value as readonly string[];
    const pairs = parts.map((part) => part.split("="));
    if (pairs.every((pair) => pair.length === 1)) return { names: parts };
    if (
      pairs.every((pair) => pair.length === 2 && pair[0] !== "") &&
      isUnique(pairs.map(([label]) => label))
    ) {
      return { labels: Object.fromEntries(pairs as [string, string][]) };
    }
  } else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const labels = Object.entries(value);
    if (labels.length > 0 && labels.every(([, label]) => typeof label === "string")) {
      return { labels: Object.fromEntries(labels) };
    }
  }
  throw new pulumi.RunError(`Stack config ${key} is '${text}'; ${forms}.`);
}

/** The clusters of a fleet that the stack manages: all without a selection. Throws a RunError when there are none. */
export function selectFrom(fleet: Fleet, selection: Selection | undefined): readonly Cluster[] {
  if (selection === undefined) return fleet.clusters;
  try {
    return selectClusters(fleet, selection);
  } catch (error) {
    if (error instanceof SelectionError) throw new pulumi.RunError(`Stack config ${key}: ${error.message}`);
    throw error;
  }
}

/** A label asked for twice could only match nothing, or be meant as "either", which is not offered. */
function isUnique(labels: readonly (string | undefined)[]): boolean {
  return new Set(labels).size === labels.length;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new pulumi.RunError(`Stack config ${key} is '${text}', which is not JSON; ${forms}.`);
  }
}
