import { constants, createCipheriv, publicEncrypt } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Json } from "../azure/json.ts";
import { asObject } from "../azure/json.ts";

/** What a machine answers to the command that prints its kubeconfig; of other commands it knows nothing. */
export function runKubeconfigCommand(command: Json): Json {
  const script = String(asObject(command["source"])["script"]);
  const [pem] = /-----BEGIN PUBLIC KEY-----[^]*?-----END PUBLIC KEY-----/.exec(script) ?? [];
  const [, name] = /: default\$\/: ([-\w.]+)\//.exec(script) ?? [];
  const [, address] = /6443#https:\/\/([\d.]+):6443#/.exec(script) ?? [];
  if (pem === undefined || name === undefined || address === undefined)
    return {
      executionState: "Failed",
      exitCode: 127,
      output: "",
      error: "The lab's machine has no such command.",
    };
  const key = "5".repeat(64);
  const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
  const cipher = createCipheriv("aes-256-cbc", Buffer.from(key, "hex"), Buffer.alloc(16));
  const packed = gzipSync(kubeconfig(name, `https://${address}:6443`));
  const sealed = Buffer.concat([cipher.update(packed), cipher.final()]).toString("base64");
  const output = `${publicEncrypt({ key: pem, ...oaep }, Buffer.from(key)).toString("base64")}\n${sealed}`;
  return { executionState: "Succeeded", exitCode: 0, output, error: "" };
}

function kubeconfig(name: string, server: string): string {
  const config = {
    ...{ apiVersion: "v1", kind: "Config", "current-context": name },
    clusters: [{ name, cluster: { server } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    users: [{ name, user: { token: "token-of-the-device" } }],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
