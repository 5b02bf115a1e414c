import type { GitContext, Identity } from "../words/types.ts";
import { run } from "./run.ts";

/** Who sits here, as git would write it into a commit: from the environment, else git's own config. Undefined where neither says. */
export async function personOf({ env, signal }: GitContext): Promise<Identity | undefined> {
  const ask = async (key: string): Promise<string> => {
    const args = ["config", "--get", key];
    const { code, stdout } = await run({
      ...{ args, env, signal },
      timeout: 10_000,
      redact: (text: string) => text,
    });
    return code === 0 ? stdout.toString().trim() : "";
  };
  const name = env["GIT_AUTHOR_NAME"] ?? (await ask("user.name"));
  const email = env["GIT_AUTHOR_EMAIL"] ?? (await ask("user.email"));
  return name.trim() === "" || email.trim() === "" ? undefined : { name, email };
}
