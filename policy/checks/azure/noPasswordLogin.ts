import { asMap, asText, shown } from "../../plainValue.ts";
import { resourcePolicy } from "../../azurePolicy.ts";
import { isVirtualMachine } from "../../resourceTypes.ts";

/** A password is guessed, shared and never changed. */
export const noPasswordLogin = resourcePolicy({
  name: "no-password-login",
  description: "Nobody signs in to a device by password.",
  why: "A password is guessed, shared and kept; a key is neither.",
  of: isVirtualMachine,
  checks: [
    ({ props }) => {
      const profile = asMap(props["osProfile"]);
      if (profile === undefined) return undefined;
      if (asText(profile["adminPassword"]) !== undefined)
        return "osProfile.adminPassword is given; take it out, and give a key in linuxConfiguration.ssh.";
      const linux = asMap(profile["linuxConfiguration"]);
      if (linux === undefined) return undefined;
      const without: unknown = linux["disablePasswordAuthentication"];
      if (without === true) return undefined;
      return `osProfile.linuxConfiguration.disablePasswordAuthentication is ${shown(without)}; write true.`;
    },
  ],
  remediate: (props) => {
    const profile = asMap(props["osProfile"]);
    const linux = asMap(profile?.["linuxConfiguration"]);
    // Without a key in its place nobody could sign in.
    if (linux?.["ssh"] === undefined || linux["disablePasswordAuthentication"] === true) return [];
    return [{ path: ["osProfile", "linuxConfiguration", "disablePasswordAuthentication"], value: true }];
  },
});
