import * as pulumi from "@pulumi/pulumi";

import type { FluxFolder } from "../components/fluxFolder.ts";
import { showSome } from "../values/show.ts";

/** That Azure could not be asked, and what an update leaves to do there. */
export interface WithoutAzure {
  readonly why: string;
  readonly next: string;
  /** Clusters of which the state has nothing in Azure: they are not even tried. */
  readonly left: ReadonlySet<string>;
}

/**
 * Waits for the files of all clusters, where Azure does not answer: they depend on nothing there, and the first change that
 * fails in Azure would end the update for those that come after it.
 */
export async function filesFirst(
  without: WithoutAzure | undefined,
  folders: readonly FluxFolder[],
): Promise<void> {
  if (without === undefined || pulumi.runtime.isDryRun()) return;
  await Promise.all(
    folders.map(({ commit }) => new Promise<void>((resolve) => void commit.apply(() => resolve()))),
  );
}

/** Says how far an update without Azure got. What was left makes it fail, and nothing else ends. */
export function sayWhatIsLeft(without: WithoutAzure | undefined, clusters: number): void {
  if (without === undefined) return;
  const { why, next, left } = without;
  const again = `${next}, and run again.`;
  const those = left.size === 0 ? "" : `${left.size} are left to do in Azure: ${showSome(left)}.`;
  if (pulumi.runtime.isDryRun()) {
    const then = left.size === 0 ? "What changes in Azure then fails." : those;
    void pulumi.log.warn(
      `Azure could not be asked (${why}). An update commits the files of all clusters. ${then} ${again}`,
    );
    return;
  }
  const committed = `Azure could not be asked (${why}). The files of ${clusters} clusters are committed`;
  if (left.size === 0) {
    void pulumi.log.warn(`${committed}. What changes in Azure fails below. ${again}`);
    return;
  }
  void pulumi.log.error(`${committed}; ${those} ${again}`);
  // The update is over, its outputs are saved, and it failed. To throw would lose the outputs.
  process.exitCode = alreadyTold;
}

/** What Pulumi's language host takes for a program that failed and said why. */
export const alreadyTold = 32;
