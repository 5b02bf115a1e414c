import type { ClusterSecret } from "../fleet/model.ts";
import { generatedNote } from "../flux/folder.ts";
import { toYaml } from "../flux/yaml.ts";
import { deriver } from "./derive.ts";
import { type Plain, sopsObject } from "./sopsFile.ts";

/** Annotation of a delivered Secret that tells its versions apart, and says nothing of its values. */
export const versionAnnotation = "arcflux.io/version";

/** Annotation that says which two versions are delivered at once, as `2/1`. */
export const rotationAnnotation = "arcflux.io/rotation";

/** The values of a secret, by its keys. */
export type Values = Readonly<Record<string, string>>;

/** What tells the versions of a secret apart: the same for the same values, and a guess for whoever has no sealing key. */
export function versionOf(secret: ClusterSecret, values: Values, sealingKey: string): string {
  const all = Object.keys(values)
    .sort()
    .map((key) => [key, values[key]]);
  return deriver(sealingKey, "version", secret.key)(6, JSON.stringify(all)).toString("hex");
}

/** A Secret as a plain object: what Pulumi creates, and what is encrypted for Git. */
export function secretObject(secret: ClusterSecret, values: Values, sealingKey: string) {
  const version = versionOf(secret, values, sealingKey);
  const data = Object.fromEntries(
    Object.keys(values)
      .sort()
      .map((key) => [key, Buffer.from(values[key]!).toString("base64")]),
  );
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: secret.name,
      namespace: secret.namespace,
      annotations: {
        [versionAnnotation]: version,
        ...(secret.rotation !== undefined && { [rotationAnnotation]: secret.rotation }),
      },
    },
    type: secret.type,
    data,
  };
}

/** The file of a secret in the folder of a cluster, encrypted to these recipients alone. The same in every run. */
export function sealedFile(
  secret: ClusterSecret,
  values: Values,
  { recipients, sealingKey }: { readonly recipients: readonly string[]; readonly sealingKey: string },
): string {
  const object: Plain = secretObject(secret, values, sealingKey);
  return toYaml(sopsObject(object, recipients, sealingKey), generatedNote);
}
