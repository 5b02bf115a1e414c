import { isLoopback } from "../../values/repositoryUrl.ts";
import { tokenHostVariable, tokenVariable } from "../words/variables.ts";
import { sendsToken } from "./credentialsSource.ts";

/** The setting, as messages name it. */
export const tokenHostSetting = `${tokenHostVariable} (stack config arcflux-git:tokenHost)`;

/** Host of an http or https URL, with its port where that is not the usual one; undefined of any other. */
export function hostOf(url: string): string | undefined {
  return /^https?:\/\//.test(url) ? URL.parse(url)?.host : undefined;
}

/** The hosts that the token of the environment is for, as it says; undefined where nothing binds it. */
export function tokenHosts(env: NodeJS.ProcessEnv): readonly string[] | undefined {
  const hosts = (env[tokenHostVariable] ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((host) => host !== "");
  return hosts.length === 0 ? undefined : hosts;
}

/** Why a URL must not get the token that would be sent there, each reason to follow its name. */
export function checkTokenHost(url: string, env: NodeJS.ProcessEnv): string[] {
  const [host, allowed] = [hostOf(url), tokenHosts(env)];
  if (host === undefined || allowed === undefined || !sendsToken(url, env) || allowed.includes(host))
    return [];
  return [
    `is at ${host}, and ${tokenVariable} is for ${allowed.join(", ")} alone: correct the URL, or name the host in ${tokenHostSetting}`,
  ];
}

/** The hosts of these URLs to which a token goes that nothing binds; this machine is none of them. */
export function unboundHosts(urls: readonly string[], env: NodeJS.ProcessEnv): string[] {
  if (tokenHosts(env) !== undefined) return [];
  const hosts = urls
    .filter((url) => sendsToken(url, env) && !isLoopback(url))
    .flatMap((url) => hostOf(url) ?? []);
  return [...new Set(hosts)];
}
