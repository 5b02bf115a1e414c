import { readFile } from "node:fs/promises";
import type { Repository } from "../fleet/model.ts";
import { signingKeyEnd } from "../git/index.ts";
import { certificatesIn } from "../values/certificates.ts";
import type { Fault } from "./fault.ts";

/** From so many days before its end on it is a warning, as for `repository.expires`. */
const warnDays = 30;

/**
 * Warnings of what this machine can see to end: authorities of `caFile`, and the key that commits are signed with. What
 * cannot be read is told by whoever needs it.
 */
export async function credentialEnds(
  { caFile, commit }: Repository,
  env: NodeJS.ProcessEnv,
  now: Date,
): Promise<Fault[]> {
  const authorities = async () =>
    (caFile === undefined ? [] : certificatesIn(await readFile(caFile, "utf8"))).map(({ name, ends }) =>
      ending(["repository", "caFile"], `the certificate of ${name ?? "an authority"}`, ends, now),
    );
  const key = async () => {
    const found = await signingKeyEnd(commit.signing, { env });
    const path = ["repository", "commit", "signing"];
    return found && [ending(path, `the signing key of ${found.name}`, found.ends, now)];
  };
  const all = await Promise.all([authorities, key].map((read) => read().catch(() => undefined)));
  return all.flat().filter((fault) => fault !== undefined);
}

function ending(path: string[], what: string, ends: string, now: Date): Fault | undefined {
  const days = Math.floor((Date.parse(ends) - now.getTime()) / 86_400_000);
  if (days >= warnDays) return undefined;
  const day = ends.slice(0, 10);
  const when = days < 0 ? `ended on ${day}; renew it` : `ends on ${day}, in ${days} days; renew it before`;
  return { severity: "warning", path, message: `${what} ${when}` };
}
