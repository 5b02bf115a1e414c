import { checkTokenHost, hostOf, sendsToken, tokenHosts, tokenHostSetting } from "../git/index.ts";
import { containsUnknown, unwrapOutputs } from "./markers.ts";

type Properties = Readonly<Record<string, unknown>>;

/** The URLs of a resource's inputs to which a token may be sent, as far as they are known. */
export function urlsOf({ repository, delivery }: Properties): string[] {
  const known = containsUnknown(delivery) ? undefined : unwrapOutputs(delivery);
  const { pullRequest } = Object(known) as { pullRequest?: { apiUrl?: unknown } };
  return [repository, pullRequest?.apiUrl].filter((url) => typeof url === "string");
}

/**
 * Why the token must not be sent where the inputs say: to a host that it is not for; or, where nothing says which it is
 * for, to one that the saved state does not know. A pull request can change a URL, and must not get the token by that.
 */
export function tokenFaults(olds: Properties, news: Properties, env: NodeJS.ProcessEnv): string[] {
  const urls = urlsOf(news);
  const bound = urls.flatMap((url) =>
    checkTokenHost(url, env).map((reason) => `repository: a URL ${reason}.`),
  );
  const before = urlsOf(olds).flatMap((url) => hostOf(url) ?? []);
  if (bound.length > 0 || before.length === 0 || tokenHosts(env) !== undefined) return bound;
  return urls.flatMap((url) => {
    const host = hostOf(url);
    if (host === undefined || before.includes(host) || !sendsToken(url, env)) return [];
    return [
      `repository: a URL is at ${host}, and was at ${before.join(", ")}: the token would go to another host. ` +
        `If that is meant, set ${tokenHostSetting} to ${host}.`,
    ];
  });
}

/** What is said of a token that goes to whatever host a URL names. */
export function unboundNote(host: string): string {
  return (
    `the Git token goes to ${host}, and would go to any other host that the fleet file names. ` +
    `Set ${tokenHostSetting} to ${host}.`
  );
}
