import { z } from "zod";
import { cidrFault } from "../../values/cidr.ts";
import { rules } from "../rules.ts";
import { faultless, text } from "../values.ts";
import { must, part } from "./fields.ts";

/** A cluster on a virtual machine in Azure that the program makes. */
export const device = z
  .strictObject({
    address: must(
      faultless(cidrFault),
      "Who reaches its Kubernetes from outside, the machine that runs `pulumi up` among them, as IPv4 with a prefix of /16 or longer.",
      "203.0.113.7/32",
    ),
    size: part(
      text(rules.vmSize),
      "Size of the virtual machine, of x64. Default: Standard_B2s, which has two cores and 4 GB.",
      "Standard_B2ms",
    ),
    sshKey: part(
      text(rules.sshPublicKey),
      "Public key of SSH that signs in as arcflux. Without one nobody does, and port 22 is shut.",
      "ssh-ed25519 AAAA…",
    ),
    k3s: part(
      z.strictObject({
        version: must(text(rules.k3sVersion), "Release of k3s.", "v1.36.5+k3s1"),
        sha256: must(
          text(rules.sha256),
          "SHA-256 of its binary for amd64, by the release's sha256sum-amd64.txt. Nothing else runs.",
        ),
      }),
      "Release of k3s of the machine when it is made; with a higher `hardware` one that is there is made anew. Default: v1.36.5+k3s1.",
    ),
  })
  .meta({ id: "device" });
