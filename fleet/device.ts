/** A simulated edge device: a virtual machine in Azure that is made and thrown away by the program. */
export interface Device {
  /** Who reaches it from outside, as CIDR: `203.0.113.7/32`. */
  readonly address: string;
  /** Size of the virtual machine in Azure, of x64. */
  readonly size: string;
  /** Public key of SSH that signs in; without one nobody does, and port 22 is shut. */
  readonly sshKey?: string;
  /** Release of k3s, as `v1.36.5+k3s1`, and the SHA-256 of its binary for amd64. */
  readonly k3s: { readonly version: string; readonly sha256: string };
}

/** A device as the fleet file writes it. */
interface WrittenDevice {
  readonly address: string;
  readonly size?: string | undefined;
  readonly sshKey?: string | undefined;
  readonly k3s?: Device["k3s"] | undefined;
}

/** What a device has where the fleet file says nothing: two cores and 4 GB, which the agents and Flux fit into. */
const deviceDefaults: Pick<Device, "size" | "k3s"> = {
  size: "Standard_B2s",
  k3s: {
    version: "v1.36.5+k3s1",
    sha256: "d73847bcd3c5fccef0115b372e2f9a91f3032dc84bbf71518a4617565294d313",
  },
};

/** The device with what it has where nothing is written. */
export function resolveDevice({ address, size, sshKey, k3s }: WrittenDevice): Device {
  return {
    address,
    size: size ?? deviceDefaults.size,
    ...(sshKey !== undefined && { sshKey }),
    k3s: k3s ?? deviceDefaults.k3s,
  };
}

/** Name of the resource group that a device has to itself: that of its cluster in Azure, and its name. */
export function deviceGroup(resourceGroup: string, cluster: string): string {
  return `${resourceGroup}-${cluster}-device`;
}
