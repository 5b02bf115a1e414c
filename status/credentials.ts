import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Repository } from "../fleet/model.ts";

/** Something that lets somebody in, and ends. Never its value. */
export interface Credential {
  readonly kind: "token" | "certificate" | "Arc identity";
  readonly name: string;
  /** ISO. */
  readonly ends: string;
  /** Who says so. */
  readonly by: string;
}

/** From so many days before its end on it is a warning. */
export const warnDays = 30;

/** What the credentials of a fleet end at, the first first; and what could not be found out. */
export async function credentialsOf(
  repository: Repository,
  certificates: ReadonlyMap<string, string>,
  {
    env,
    fetch = globalThis.fetch,
  }: { readonly env: NodeJS.ProcessEnv; readonly fetch?: typeof globalThis.fetch },
): Promise<{ readonly credentials: readonly Credential[]; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const found: Credential[] = [...certificates].map(([name, ends]) => ({
    ...{ kind: "Arc identity", name, ends, by: "Azure" },
  }));
  const token = await tokenEnd(repository, env, fetch).catch((error: unknown) => {
    faults.push(`The end of the Git token is not known: ${(error as Error).message}`);
    return undefined;
  });
  if (token !== undefined) found.push(token);
  if (repository.caFile !== undefined) {
    try {
      found.push(...certificatesIn(await readFile(repository.caFile, "utf8"), repository.caFile));
    } catch (error) {
      faults.push(`repository.caFile cannot be read: ${(error as Error).message}`);
    }
  }
  return { credentials: found.sort((a, b) => (a.ends < b.ends ? -1 : 1)), faults };
}

/** The end of a token by the host's own header, else by `repository.expires` of the fleet file. */
async function tokenEnd(
  { url, expires }: Repository,
  env: NodeJS.ProcessEnv,
  fetch: typeof globalThis.fetch,
): Promise<Credential | undefined> {
  const base = { kind: "token", name: `Git token of ${hostOf(url)}` } as const;
  const token = env["ARCFLUX_GIT_TOKEN"];
  // To the one host whose header is known, and to no other.
  if (token && hostOf(url) === "github.com") {
    const answer = await fetch("https://api.github.com/rate_limit", {
      headers: { authorization: `Bearer ${token}`, accept: "application/json" },
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.status === 401) throw new Error("github.com refused it; it has ended, or is none");
    const header = answer.headers.get("github-authentication-token-expiration");
    const time = header === null ? NaN : Date.parse(header.replace(" UTC", "Z").replace(" ", "T"));
    if (!Number.isNaN(time)) return { ...base, ends: new Date(time).toISOString(), by: "github.com" };
  }
  return expires === undefined
    ? undefined
    : { ...base, ends: `${expires}T00:00:00.000Z`, by: "repository.expires" };
}

function certificatesIn(pem: string, file: string): Credential[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return found.map((text) => {
    const { subject, validTo } = new X509Certificate(text);
    const name = /CN=([^\n]+)/.exec(subject)?.[1] ?? file;
    return { kind: "certificate", name, ends: new Date(validTo).toISOString(), by: "repository.caFile" };
  });
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
