import type { HostKind } from "../words/delivery.ts";
import type { Access } from "../access/credentialsAccess.ts";
import { openAccess } from "../access/credentialsAccess.ts";
import type { Credential } from "../access/credentials.ts";
import { takesToken } from "../access/credentials.ts";
import { GitError } from "../words/errors.ts";
import { run } from "../access/run.ts";
import type { GitContext } from "../words/types.ts";
import { azureDevOpsHost } from "./azureDevOps.ts";
import { boundPlace } from "./boundPlace.ts";
import { githubHost } from "./github.ts";
import { gitlabHost } from "./gitlab.ts";
import type { Call, Host } from "./host.ts";
import { webForm } from "./place.ts";
import type { PlaceOptions } from "./place.ts";

/**
 * The pull requests of a repository, with the credential that git has for it; undefined where no interface is known.
 * Nothing is asked of the host yet.
 */
export async function openHost(
  url: string,
  options: PlaceOptions,
  context: GitContext,
): Promise<Host | undefined> {
  const place = boundPlace(url, options, context);
  if (place === undefined) return undefined;
  // Over SSH the repository has no token; its web side may.
  const web = takesToken(url) ? url : (webForm(url)?.href ?? url);
  const access = await openAccess(web, context);
  let helpers: Credential | undefined;
  const credential = async (): Promise<Credential> => {
    const known = access.credential() ?? (helpers ??= await askHelpers(web, access, context));
    if (known !== undefined) return known;
    throw new GitError(
      "authentication",
      `Pull requests of ${web} need a token: set ARCFLUX_GIT_TOKEN, or set up git's own credentials for it, and run again.`,
    );
  };
  const call: Call = async (request) => {
    const once = async (): ReturnType<Call> => {
      const authorization = authorize(place.kind, await credential(), access);
      const what = `The pull request for ${web}`;
      return access.http({ ...request, what, headers: { ...request.headers, authorization } });
    };
    return once().catch(async (error: unknown) => {
      if (error instanceof GitError && error.kind === "authentication" && (await access.renew()))
        return once();
      throw error;
    });
  };
  switch (place.kind) {
    case "github":
      return githubHost(place.api, place.path, call);
    case "gitlab":
      return gitlabHost(place.api, place.path, call);
    case "azureDevOps":
      return azureDevOpsHost(place, call);
  }
}

/** An access token of Azure is known by its form: a personal one holds no dots. */
function authorize(kind: HostKind, { token, bearer }: Credential, access: Access): string {
  if (kind !== "azureDevOps" || bearer === true || /^ey[\w-]+\.[\w-]+\.[\w-]+$/.test(token))
    return `Bearer ${token}`;
  const basic = Buffer.from(`:${token}`).toString("base64");
  access.redaction.add(basic);
  return `Basic ${basic}`;
}

/** What git's own helpers have for the URL. */
async function askHelpers(web: string, access: Access, context: GitContext): Promise<Credential | undefined> {
  const { protocol, host, pathname } = new URL(web);
  const { code, stdout } = await run({
    args: ["credential", "fill"],
    env: access.env,
    input: `protocol=${protocol.slice(0, -1)}\nhost=${host}\npath=${pathname.slice(1)}\n\n`,
    timeout: 30_000,
    signal: context.signal,
    redact: access.redaction.redact,
  });
  const text = stdout.toString();
  const token = /^password=(.+)$/m.exec(text)?.[1];
  const username = /^username=(.+)$/m.exec(text)?.[1] ?? "";
  if (code !== 0 || token === undefined) return undefined;
  access.redaction.add(token, username);
  return { username, token };
}
