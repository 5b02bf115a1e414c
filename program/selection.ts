import * as pulumi from "@pulumi/pulumi";

import type { Cluster, Fleet } from "../fleet/model.ts";
import { selectClusters, type Selection, SelectionError } from "../fleet/select.ts";
import { parseSelection as parse } from "../fleet/selectionText.ts";

/** Reads stack config `arcflux:clusters`. Throws a RunError for what is no selection. */
export function parseSelection(text: string): Selection {
  return told(() => parse(text));
}

/** The clusters of a fleet that the stack manages: all without a selection. Throws a RunError when there are none. */
export function selectFrom(fleet: Fleet, selection: Selection | undefined): readonly Cluster[] {
  return selection === undefined
    ? fleet.clusters
    : told(() => selectClusters(fleet, selection), "Stack config arcflux:clusters: ");
}

function told<T>(select: () => T, before = ""): T {
  try {
    return select();
  } catch (error) {
    if (error instanceof SelectionError) throw new pulumi.RunError(`${before}${error.message}`);
    throw error;
  }
}
