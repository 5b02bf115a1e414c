import type { Stage } from "../../fleet/model.ts";
import type { CommitStatus } from "../../git/index.ts";
import { type Gate, passes, stops, stopsUnless } from "../gate.ts";

/** The statuses of a commit; undefined where the host has no interface that is known. */
export type ReadStatuses = (commit: string) => Promise<readonly CommitStatus[] | undefined>;

/** Every check that the stage names must be shown as passed by the host, on that very commit. */
export async function checksGate(
  { checks }: Pick<Stage, "checks">,
  commit: string,
  read: ReadStatuses,
  unverified: boolean,
): Promise<Gate> {
  if (checks.length === 0) return passes("checks", "none is asked for");
  const names = checks.join(", ");
  const pass = unverified ? "--unverified" : undefined;
  const without =
    "Set a token that may read them, or promote it --unverified, which is written into the commit";
  const statuses = await read(commit).catch((error: unknown) => (error as Error).message);
  if (statuses === undefined)
    return stopsUnless(pass, "checks", `${names}: the repository's host has no interface to ask`, without);
  if (typeof statuses === "string")
    return stopsUnless(pass, "checks", `${names} could not be asked: ${statuses}`, without);
  const short = commit.slice(0, 10);
  const open = checks.flatMap((name) => {
    const state = statuses.find((one) => one.name === name)?.state;
    return state === "passed" ? [] : [`${name} ${state === undefined ? "is not there" : `is ${state}`}`];
  });
  return open.length === 0
    ? passes("checks", `${names} passed on ${short}`)
    : stops("checks", `on ${short}, ${open.join(", ")}. Run it there, or wait for it`);
}
