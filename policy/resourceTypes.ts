/**
 * Azure's Flux configuration, also in an explicit API version or in an SDK generated for one:
 * matched as a pattern, since a check that no longer sees its resource says nothing.
 */
const fluxConfiguration = /^azure-native\w*:kubernetesconfiguration(\/\w+)?:FluxConfiguration$/;

/** Whether a type token is that of a Flux configuration of Azure. */
export function isFluxConfiguration(type: string): boolean {
  return fluxConfiguration.test(type);
}

/** Type token of the files committed for a cluster. */
export const gitFilesType = "arcflux-git:index:GitFiles";

/** Whether a type token is that of the files committed for a cluster. */
export function isGitFiles(type: string): boolean {
  return type === gitFilesType;
}

/** Whether a type token is that of Flux as Arcflux installs it on a cluster without Azure. */
export function isFluxInstall(type: string): boolean {
  return type === "arcflux-git:index:FluxInstall";
}

/** Whether a type token is that of a resource of Azure Arc: connected cluster, extension or Flux configuration. */
export function isArcResource(type: string): boolean {
  return /^azure-native\w*:(kubernetes|kubernetesconfiguration)(\/\w+)?:\w+$/.test(type);
}

/** Whether a type token is that of an extension on a cluster. */
export function isExtension(type: string): boolean {
  return /^azure-native\w*:kubernetesconfiguration(\/\w+)?:Extension$/.test(type);
}

/** Whether a type token is that of a connected cluster. */
export function isConnectedCluster(type: string): boolean {
  return /^azure-native\w*:kubernetes(\/\w+)?:ConnectedCluster$/.test(type);
}

/** Whether a type token is that of a virtual machine of Azure. */
export function isVirtualMachine(type: string): boolean {
  return /^azure-native\w*:compute(\/\w+)?:VirtualMachine$/.test(type);
}

/** Whether a type token is that of a network security group of Azure, or of one rule of it. */
export function isNetworkSecurity(type: string): boolean {
  return /^azure-native\w*:network(\/\w+)?:(NetworkSecurityGroup|SecurityRule)$/.test(type);
}

/** Whether a type token is that of a key pair of the tls provider. */
export function isPrivateKey(type: string): boolean {
  return type === "tls:index/privateKey:PrivateKey";
}

/** Whether a type token is that of a resource of Azure that takes tags, of those that are made for a cluster and its device. */
export function isTagged(type: string): boolean {
  return /^azure-native\w*:(kubernetes(\/\w+)?:ConnectedCluster|compute(\/\w+)?:VirtualMachine\w*|network(\/\w+)?:(NetworkSecurityGroup|NetworkInterface|PublicIPAddress|VirtualNetwork)|resources(\/\w+)?:ResourceGroup)$/.test(
    type,
  );
}

/** Whether a type token is that of any resource of Azure. */
export function isAzure(type: string): boolean {
  return /^azure-native\w*:/.test(type) && !type.startsWith("azure-native:index");
}

/** Whether a type token is that of what the program says of the fleet as a whole. */
export function isFleet(type: string): boolean {
  return type === "arcflux:index:Fleet";
}
