/**
 * Azure's Flux configuration, also in an explicit API version or in an SDK generated for one:
 * matched as a pattern, since a check that no longer sees its resource says nothing.
 */
const fluxConfiguration = /^azure-native\w*:kubernetesconfiguration(\/\w+)?:FluxConfiguration$/;

/** Whether a type token is that of a Flux configuration of Azure. */
export function isFluxConfiguration(type: string): boolean {
  return fluxConfiguration.test(type);
}

/** Whether a type token is that of the files committed for a cluster. */
export function isGitFiles(type: string): boolean {
  return type === "arcflux-git:index:GitFiles";
}

/** Whether a type token is that of a resource of Azure Arc: connected cluster, extension or Flux configuration. */
export function isArcResource(type: string): boolean {
  return /^azure-native\w*:(kubernetes|kubernetesconfiguration)(\/\w+)?:\w+$/.test(type);
}
