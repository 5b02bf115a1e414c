import { readFile } from "node:fs/promises";
import type { Repository } from "../fleet/model.ts";
import { signingKeyEnd, tokenEnd } from "../git/index.ts";
import { certificatesIn } from "../values/certificates.ts";

/** Something that lets somebody in, and ends. Never its value. */
export interface Credential {
  readonly kind: "token" | "certificate" | "Arc identity" | "signing key";
  readonly name: string;
  /** ISO. */
  readonly ends: string;
  /** Who says so. */
  readonly by: string;
}

/** From so many days before its end on it is a warning. */
export const warnDays = 30;

/** What `credentialsOf` takes from around it. */
export interface CredentialsOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Whether the host is asked when the token ends; else only what this machine knows is said. */
  readonly askHost: boolean;
}

/** What the credentials of a fleet end at, the first first; and what could not be found out. */
export async function credentialsOf(
  repository: Repository,
  certificates: ReadonlyMap<string, string>,
  { env, askHost }: CredentialsOptions,
): Promise<{ readonly credentials: readonly Credential[]; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const found: Credential[] = [...certificates].map(([name, ends]) => ({
    ...{ kind: "Arc identity", name, ends, by: "Azure" },
  }));
  const look = async (what: string, read: () => Promise<readonly Credential[]>): Promise<void> => {
    try {
      found.push(...(await read()));
    } catch (error) {
      faults.push(`${what}: ${(error as Error).message}`);
    }
  };
  await Promise.all([
    look("The end of the Git token is not known", () => tokensOf(repository, env, askHost)),
    look("The end of the signing key is not known", () => signingKeysOf(repository, env)),
    look("repository.caFile cannot be read", () => authoritiesOf(repository)),
  ]);
  return { credentials: found.sort((a, b) => (a.ends < b.ends ? -1 : 1)), faults };
}

/** The end of the token by its host, else by `repository.expires` of the fleet file. */
async function tokensOf(
  { url, expires, pullRequest }: Repository,
  env: NodeJS.ProcessEnv,
  askHost: boolean,
): Promise<Credential[]> {
  const base = { kind: "token", name: `Git token of ${hostOf(url)}` } as const;
  const declared =
    expires === undefined ? [] : [{ ...base, ends: `${expires}T00:00:00.000Z`, by: "repository.expires" }];
  if (!askHost) return declared;
  const { host, apiUrl } = pullRequest ?? {};
  const signal = AbortSignal.timeout(10_000);
  const told = await tokenEnd(url, { host, apiUrl }, { env, signal }).catch((error: unknown) => {
    // A host that refuses it says nothing of its end, which the fleet file may know.
    if (expires !== undefined && Date.parse(expires) < Date.now()) return undefined;
    throw error;
  });
  return told === undefined ? declared : [{ ...base, ...told }];
}

async function signingKeysOf({ commit }: Repository, env: NodeJS.ProcessEnv): Promise<Credential[]> {
  const found = await signingKeyEnd(commit.signing, { env });
  return found === undefined ? [] : [{ kind: "signing key", by: "the key itself", ...found }];
}

async function authoritiesOf({ caFile }: Repository): Promise<Credential[]> {
  const found = caFile === undefined ? [] : certificatesIn(await readFile(caFile, "utf8"));
  return found.map(({ name = caFile ?? "", ends }) => ({
    ...{ kind: "certificate", name, ends, by: "repository.caFile" },
  }));
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? url;
}

/** Whole days until the end; negative once it is past. */
export function daysLeft({ ends }: Credential, now: Date): number {
  return Math.floor((Date.parse(ends) - now.getTime()) / 86_400_000);
}

/** What is past, or will be within 30 days, a line each; many of one kind and day as one. */
export function endingText(credentials: readonly Credential[], now: Date): string[] {
  const soon = credentials.filter((one) => daysLeft(one, now) < warnDays);
  const groups = Map.groupBy(soon, ({ kind, ends }) => `${kind} ${ends.slice(0, 10)}`);
  return [...groups.values()].map((group) => {
    const [first] = group;
    if (first === undefined) return "";
    const left = daysLeft(first, now);
    const who = group.length > 1 ? `${first.name} and ${group.length - 1} more` : first.name;
    const day = first.ends.slice(0, 10);
    return left < 0
      ? `${who}: the ${first.kind} ended on ${day}. Renew it.`
      : `${who}: the ${first.kind} ends on ${day}, in ${left} days. Renew it before.`;
  });
}
