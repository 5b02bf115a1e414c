import type { Fleet } from "../fleet/model.ts";
import { commitStatuses } from "../git/index.ts";
import { appliedBy, askNow } from "../status/index.ts";
import type { World } from "../stages/index.ts";
import { gitContext } from "./gitContext.ts";

/** Seconds for all clusters together to say what they run. */
const patience = 60;

/** What promotions and rollbacks ask, as the environment says how. */
export function stageWorld(fleet: Fleet, env: NodeJS.ProcessEnv = process.env): World {
  const { url, pullRequest = {} } = fleet.repository;
  const git = gitContext(fleet, env);
  return {
    git,
    now: () => new Date(),
    ask: (clusters) => askNow(fleet, clusters, patience, env),
    applied: appliedBy(fleet, env).applied,
    statuses: (commit) => commitStatuses(url, pullRequest, commit, git),
  };
}
