import type { Fleet } from "../fleet/model.ts";
import type { GitContext } from "../git/index.ts";

/** How git reaches the fleet's repository: the environment, with the certificate authority that the fleet file names. */
export function gitContext(
  { repository: { caFile } }: Pick<Fleet, "repository">,
  env: NodeJS.ProcessEnv = process.env,
): GitContext {
  return { env: caFile === undefined ? env : { ...env, GIT_SSL_CAINFO: caFile } };
}
