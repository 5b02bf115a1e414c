import type { SetFields } from "./schema/set.ts";

type PostBuild = NonNullable<SetFields["postBuild"]>;

/** Names of variables that begin so are Arcflux's own. */
export const ownPrefix = "arcflux_";

/**
 * `postBuild` with `arcflux_cluster` and `arcflux_stage` where Flux replaces variables in the set anyway; as it is where it
 * does not, since a `$` in the manifests would mean something else all at once.
 */
export function withOwnVariables(
  postBuild: PostBuild,
  cluster: string,
  stage: string | undefined,
): PostBuild {
  if (!substitutes(postBuild)) return postBuild;
  const own = { arcflux_cluster: cluster, ...(stage !== undefined && { arcflux_stage: stage }) };
  return { ...postBuild, substitute: { ...postBuild.substitute, ...own } };
}

/** Whether it does for sure: an optional ConfigMap may not be there, and Flux replaces nothing then. */
function substitutes({ substitute = {}, substituteFrom = [], substituteStrategy }: PostBuild): boolean {
  return (
    Object.keys(substitute).length > 0 ||
    substituteFrom.some(({ optional }) => optional !== true) ||
    substituteStrategy === "Always"
  );
}
