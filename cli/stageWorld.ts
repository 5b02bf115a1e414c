import type { Fleet } from "../fleet/model.ts";
import { commitStatuses, type GitContext } from "../git/index.ts";
import { appliedBy, askNow } from "../status/index.ts";
import type { World } from "../stages/index.ts";

/** Seconds for all clusters together to say what they run. */
const patience = 60;

/** What promotions and rollbacks ask, as the environment says how. */
export function stageWorld(fleet: Fleet, env: NodeJS.ProcessEnv = process.env): World {
  const { url, caFile, pullRequest = {} } = fleet.repository;
  const git: GitContext = { env: caFile === undefined ? env : { ...env, GIT_SSL_CAINFO: caFile } };
  return {
    git,
    now: () => new Date(),
    ask: (clusters) => askNow(fleet, clusters, patience, env),
    applied: appliedBy(fleet, env).applied,
    statuses: (commit) => commitStatuses(url, pullRequest, commit, git),
  };
}
