import { asMap, asText, type PlainMap } from "./plainValue.ts";

/** What the bootstrap of a Flux configuration follows. Each is read when asked for: one alone may be unknown. */
export interface BootstrapTarget {
  readonly url: () => string | undefined;
  readonly branch: () => string | undefined;
  readonly path: () => string | undefined;
}

/** Reads it out of the inputs of a Flux configuration. */
export function bootstrapTarget(props: PlainMap): BootstrapTarget {
  const gitRepository = (): PlainMap => asMap(props["gitRepository"]) ?? {};
  return {
    url: () => asText(gitRepository()["url"]),
    branch: () => asText(asMap(gitRepository()["repositoryRef"])?.["branch"]),
    path: () => asText(asMap(asMap(props["kustomizations"])?.["bootstrap"])?.["path"]),
  };
}
