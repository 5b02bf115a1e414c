import type { Repository } from "../fleet/model.ts";
import { signingKeyOwner, tokenOwner } from "../git/index.ts";
import { printable } from "../values/show.ts";
import { type Checkup, lookedAt } from "./checkup.ts";

/** Whose token and signing key an update would use: a person's ends with the person. */
export async function checkGit(
  { url, pullRequest, commit }: Repository,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Checkup[]> {
  const context = { env, signal };
  const { host, apiUrl } = pullRequest ?? {};
  const looks = await Promise.all([
    lookedAt("Git token", async () => {
      const owner = await tokenOwner(url, { host, apiUrl }, context);
      return owner === undefined ? [] : [owned("Git token", owner, "an app's or a project's token")];
    }),
    lookedAt("signing key", async () => {
      const owner = await signingKeyOwner(commit.signing, context);
      return owner === undefined ? [] : [owned("signing key", owner, "a key of their own")];
    }),
  ]);
  return looks.flat();
}

function owned(
  about: string,
  { name, isPerson }: { readonly name: string; readonly isPerson: boolean },
  better: string,
): Checkup {
  const who = printable(name);
  if (!isPerson) return { about, state: "ok", text: `that of ${who}` };
  return {
    ...{ about, state: "warning", text: `that of ${who}, a person: it ends when they leave` },
    mend: `Give pipelines ${better}; docs/guide/doctor.md says which`,
  };
}
