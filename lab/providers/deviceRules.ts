import { isDeepStrictEqual } from "node:util";
import type { FaultList } from "../azure/armError.ts";
import type { Json } from "../azure/json.ts";
import { asObject, show } from "../azure/json.ts";

const world = new Set(["*", "internet", "any", "0.0.0.0/0"]);

function isWorld(source: unknown): boolean {
  return typeof source !== "string" || world.has(source.toLowerCase());
}

/** Nothing may come in from everywhere: Azure leaves that to policies, and the lab's subscription has such a one. */
export function refuseOpenPorts(faults: FaultList, { securityRules = [] }: Json): void {
  for (const rule of (securityRules as unknown[]).map(asObject)) {
    const { name, direction, access, sourceAddressPrefix: source } = rule;
    if (direction === "Inbound" && access === "Allow" && isWorld(source))
      faults.add(
        `securityRules.${String(name)}`,
        `${show(source)} lets everybody in.`,
        "RequestDisallowedByPolicy",
      );
  }
}

/** Whoever signs in to a machine has a key; and what it starts with first is given once. */
export function refuseLogin(faults: FaultList, { osProfile }: Json, old: Json | undefined): void {
  const { adminPassword, linuxConfiguration, customData } = asObject(osProfile);
  const { disablePasswordAuthentication, ssh } = asObject(linuxConfiguration);
  if (adminPassword !== undefined || disablePasswordAuthentication !== true)
    faults.add("osProfile", "Signing in by password is not allowed.", "RequestDisallowedByPolicy");
  const keys = (asObject(ssh)["publicKeys"] ?? []) as unknown[];
  if (!keys.map(asObject).some(({ keyData }) => /^ssh-(rsa|ed25519) /.test(String(keyData))))
    faults.add("osProfile.linuxConfiguration.ssh.publicKeys", "There is no public key.", "InvalidParameter");
  if (old !== undefined && !isDeepStrictEqual(asObject(old["osProfile"])["customData"], customData))
    faults.add("osProfile.customData", "Changing this property is not allowed.", "PropertyChangeNotAllowed");
}
