import { show } from "../../values/show.ts";

/** Fields whose place is easily taken for that of the secret itself, and free text that may hold one. */
const quiet = /^(substitute|secretRef|\w+SecretRef|kubeConfig|address|proxy|eventMetadata|headers)$/;

/** The value received, as messages show it. Where a secret may have been put by mistake, the value is not repeated. */
export function received(value: unknown, path: readonly (string | number)[]): string {
  const text = typeof value === "string" || typeof value === "number";
  if (text && path.some((part) => typeof part === "string" && quiet.test(part))) return "this value";
  // `https://user:token@host`: only what follows the credentials is shown.
  if (typeof value === "string") return show(value.replace(/^([a-z]+:\/\/)?[^/@\s]*:[^@]*@/i, "$1...@"));
  return show(value);
}
