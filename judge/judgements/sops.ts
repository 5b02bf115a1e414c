import { asMap, textsIn } from "../../values/maps.ts";
import { showNames } from "../../values/show.ts";
import type { Remark, SetJudgement } from "../judgement.ts";
import { isKind, locate } from "../objects.ts";
import { type BuiltObject, objectsOf } from "../subject.ts";

const cipher = "ENC[";

/** Encrypted objects in a set that decrypts nothing. */
export const sopsWithoutDecryption: SetJudgement = {
  name: "sops-without-decryption",
  severity: "error",
  finds:
    "The set holds SOPS-encrypted objects and says no `decryption`, with which Flux refuses to apply it.",
  judge({ set, build, isBootstrap }) {
    if (asMap(set.spec["decryption"])["provider"] !== undefined) return [];
    const found = objectsOf(build).filter(({ value }) => value["sops"] !== undefined);
    if (found.length === 0) return [];
    const next = isBootstrap
      ? "the bootstrap decrypts nothing, so move it to a set with decryption"
      : "add decryption: { provider: sops, secretRef: { name: … } }";
    return [
      {
        message: `${showNames(found.map(locate), 3)} is SOPS-encrypted, and the set has no decryption, so Flux refuses to apply it; ${next}`,
      },
    ];
  },
};

/** SOPS over names and kinds, which Flux needs to read. */
export const encryptedMetadata: SetJudgement = {
  name: "encrypted-metadata",
  severity: "error",
  finds:
    "SOPS encrypted the kind, name or labels of an object too, so that Flux cannot even tell what it is.",
  judge: ({ build }) =>
    objectsOf(build)
      .filter(({ value }) => hasCipher([value["apiVersion"], value["kind"], value["metadata"]]))
      .map(({ file = "a manifest", kind }) => ({
        message:
          `${file}: the metadata of ${hasCipher(kind) ? "an object" : `a ${kind}`} is encrypted, so Flux cannot apply it; ` +
          "encrypt again with --encrypted-regex '^(data|stringData)$'",
      })),
};

/** SOPS over a part of the values alone. */
export const partlyEncrypted: SetJudgement = {
  name: "partly-encrypted",
  severity: "warning",
  finds: "A SOPS-encrypted Secret has values that SOPS left in plain text.",
  judge: ({ build }) =>
    objectsOf(build)
      .filter((object) => isKind(object, "", "Secret") && object.value["sops"] !== undefined)
      .flatMap((object) => {
        const { data, stringData } = object.value;
        const open = [...Object.entries(asMap(data)), ...Object.entries(asMap(stringData))]
          .filter(([, value]) => value !== "" && !(typeof value === "string" && value.startsWith(cipher)))
          .map(([key]) => key);
        if (open.length === 0) return [];
        const message =
          `${locate(object)} has values in plain text although it is encrypted: ${showNames(open, 3)}; ` +
          "encrypt again with --encrypted-regex '^(data|stringData)$'";
        return [{ message }];
      }),
};

/** Secrets for all to read. */
export const plainSecret: SetJudgement = {
  name: "plain-secret",
  severity: "warning",
  finds: "A Secret stands in Git in plain text, and in every clone and backup of it.",
  judge({ build }): Remark[] {
    const found = objectsOf(build).filter(isPlainSecret);
    if (found.length === 0) return [];
    return [
      {
        message: `${showNames(found.map(locate), 3)} stands in Git in plain text; encrypt it with SOPS, or make it on the cluster`,
      },
    ];
  },
};

function isPlainSecret(object: BuiltObject): boolean {
  const { data, stringData, sops } = object.value;
  if (!isKind(object, "", "Secret") || sops !== undefined) return false;
  const texts = [
    ...Object.values(asMap(stringData)),
    ...Object.values(asMap(data)).map((value) => Buffer.from(String(value), "base64").toString("utf8")),
  ];
  return texts.some((value) => typeof value !== "string" || !standsForOther(value));
}

/** Nothing, or only variables, whose values may come from the cluster; or what SOPS encrypted in a generator's file. */
function standsForOther(value: string): boolean {
  return value.includes(cipher) || value.replace(/\$\{[^}]*\}/g, "").trim() === "";
}

function hasCipher(value: unknown): boolean {
  for (const text of textsIn(value)) if (text.startsWith(cipher)) return true;
  return false;
}
