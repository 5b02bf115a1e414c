import { constants, createDecipheriv, privateDecrypt } from "node:crypto";
import { gunzipSync } from "node:zlib";

import * as pulumi from "@pulumi/pulumi";

/** What Azure says of a command that ran on a machine. */
export interface RunCommandView {
  readonly executionState?: string;
  readonly output?: string;
  readonly error?: string;
}

/** Under a key that is used once. */
const iv = Buffer.alloc(16);

/**
 * The kubeconfig that a device printed, see `kubeconfigScript`.
 *
 * @throws a RunError where the command failed, in the words of the machine, or printed something else.
 */
export function openKubeconfig(cluster: string, view: RunCommandView, privateKeyPem: string): string {
  const [key = "", kubeconfig = ""] = (view.output ?? "").trim().split("\n");
  if (key === "" || kubeconfig === "")
    throw new pulumi.RunError(
      `${cluster}: its device has no Kubernetes (${reason(view)}). See /var/log/cloud-init-output.log there, and raise \`hardware\` to make it anew.`,
    );
  try {
    const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
    const hex = privateDecrypt({ key: privateKeyPem, ...oaep }, Buffer.from(key, "base64")).toString();
    const cipher = createDecipheriv("aes-256-cbc", Buffer.from(hex, "hex"), iv);
    const packed = Buffer.concat([cipher.update(Buffer.from(kubeconfig, "base64")), cipher.final()]);
    return gunzipSync(packed).toString();
  } catch {
    throw new pulumi.RunError(
      `${cluster}: what its device printed is not encrypted to this stack's key. Raise \`hardware\` to make the device anew.`,
    );
  }
}

function reason({ executionState = "unknown", error = "" }: RunCommandView): string {
  const said = error.trim().replaceAll(/\s+/g, " ").slice(-300);
  return said === "" ? `its command is ${executionState}` : said;
}
