import { generateKeyPairSync } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { KubernetesObject } from "../../lab/cluster/clusterApi.ts";

/** A key pair as the agents need it. */
export function agentKeys(): { readonly certificate: string; readonly privateKey: string } {
  const pair = generateKeyPairSync("rsa", { modulusLength: 4096 });
  return {
    certificate: pair.publicKey.export({ type: "pkcs1", format: "der" }).toString("base64"),
    privateKey: pair.privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  };
}

/** The secret in which Helm keeps a release, as Helm 3 writes it. */
export function helmRelease(
  values: Readonly<Record<string, string>>,
  { name = "azure-arc", namespace = "azure-arc-release", version = 1 } = {},
): KubernetesObject {
  const release = {
    name,
    namespace,
    version,
    info: { status: "deployed" },
    chart: { metadata: { name: "azure-arc-k8sagents", version: "1.36.1" } },
    config: { global: values },
  };
  const packed = gzipSync(JSON.stringify(release)).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    type: "helm.sh/release.v1",
    metadata: {
      name: `sh.helm.release.v1.${name}.v${version}`,
      namespace,
      labels: { owner: "helm", name, status: "deployed", version: String(version) },
    },
    data: { release: Buffer.from(packed).toString("base64") },
  };
}
