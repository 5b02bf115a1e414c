import type { Loaded } from "./load.ts";

/** A stage, with the clusters in it. */
export interface StageOutline {
  readonly name: string;
  /** Branch that its clusters follow. */
  readonly branch: string;
  /** Stage that a change goes through before. */
  readonly after?: string;
  readonly clusters: readonly string[];
}

/** A group, with the clusters that match. */
export interface GroupOutline {
  readonly name: string;
  readonly match: Readonly<Record<string, string>>;
  readonly clusters: readonly string[];
}

/** The stages and groups of a fleet in the order of the file; empty where there is no fleet. */
export function outline({ origin }: Loaded): { stages: StageOutline[]; groups: GroupOutline[] } {
  if (origin === undefined) return { stages: [], groups: [] };
  const { file, views } = origin;
  return {
    stages: Object.entries(file.stages).map(([name, { branch = file.repository.branch, after }]) => ({
      name,
      branch,
      ...(after !== undefined && { after }),
      clusters: views.filter(({ entry }) => entry.stage === name).map((view) => view.name),
    })),
    groups: Object.entries(file.groups).map(([name, { match }]) => ({
      name,
      match,
      clusters: views.filter(({ groups }) => groups.includes(name)).map((view) => view.name),
    })),
  };
}
