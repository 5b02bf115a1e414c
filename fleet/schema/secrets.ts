import { z } from "zod";
import { deliveries } from "../model.ts";
import { rules } from "../rules.ts";
import { faultless, named, text } from "../values.ts";
import { recipientFault } from "../../values/ageKey.ts";
import { matchLabels } from "./alert.ts";
import { must, part, word } from "./fields.ts";

/* Secrets of the clusters: where their values come from and how they get there. No value stands in the fleet file. */

const fields = "{cluster}, attributes, labels and {version} may stand in it";

/** Where the value of one key comes from. */
export const valueSource = z
  .strictObject({
    config: part(
      text(rules.secretTemplate, { echo: false }),
      `Key of a stack config secret; ${fields}.`,
      "till-token",
    ),
    env: part(
      text(rules.secretTemplate, { echo: false }),
      `Variable of the environment; ${fields}.`,
      "TILL_TOKEN",
    ),
    keyVault: part(
      z.strictObject({
        vault: must(text(rules.vaultName), "Name of the vault.", "kv-edge"),
        secret: must(
          text(rules.secretTemplate, { echo: false }),
          `Name of the secret there; ${fields}.`,
          "till-token",
        ),
      }),
      "A secret of Azure Key Vault.",
    ),
    sops: part(
      z.strictObject({
        file: must(
          word(),
          `A file encrypted with SOPS, relative to the fleet file; ${fields}.`,
          "till.enc.yaml",
        ),
        key: must(word(), "Where the value stands in it; dots lead into maps.", "data.token"),
      }),
      "A value of a file that your own `sops` decrypts.",
    ),
  })
  .refine((source) => Object.values(source).filter((one) => one !== undefined).length === 1, {
    error: "has to say one place; write one of config, env, keyVault and sops",
  })
  .meta({ id: "valueSource", minProperties: 1, maxProperties: 1 });

const version = z.int().min(1);

export const secret = z
  .strictObject({
    match: part(matchLabels, "Labels of the clusters that get it, stage among them. Default: all.", {
      kind: "store",
    }),
    external: part(
      z.literal(true),
      "It exists on the clusters without Arcflux: nothing is delivered, and nothing warned of. Takes name, namespace and match alone.",
    ),
    name: part(text(rules.objectName), "Name of the Secret. Default: its key here."),
    namespace: part(text(rules.namespace), "Namespace of the Secret. Default: flux-system."),
    type: part(word(), "Type of the Secret. Default: Opaque.", "kubernetes.io/dockerconfigjson"),
    keys: part(named(rules.secretKey, valueSource), "Its keys, each with where the value comes from.", {
      token: { config: "till-token" },
    }),
    deliver: part(
      z.enum(deliveries),
      "git: encrypted for each cluster and committed. pulumi: created through the cluster's kubeconfig. externalSecrets, csi: the cluster fetches it from Key Vault. Default: git.",
    ),
    identity: part(
      z.strictObject({
        clientId: must(word(), "Client id of the identity that reads the vault."),
        tenantId: must(word(), "Its tenant."),
      }),
      "Workload identity that clusters fetch with; for externalSecrets and csi.",
    ),
    version: part(version, "Takes the place of {version} in `keys`.", 2),
    previous: part(
      version,
      "Version that is delivered too while a rotation is under way, each key with .previous behind its name.",
      1,
    ),
  })
  .meta({ id: "secret" });

export type SecretEntry = z.output<typeof secret>;

/** A public key of age. A message must not repeat it: a private one may have been pasted. */
export const recipient = () => faultless(recipientFault, { echo: false });

export type ValueSourceEntry = z.output<typeof valueSource>;
