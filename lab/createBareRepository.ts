import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Makes an empty bare repository as a Git host would keep it: partial clones allowed, HEAD on the branch (unborn). */
export async function createBareRepository(
  path: string,
  { branch = "main" }: { readonly branch?: string } = {},
): Promise<void> {
  const git = (...args: string[]): Promise<unknown> => execute("git", args);
  await git("-c", "core.hooksPath=/dev/null", "init", "--quiet", "--bare", "--template=", "--", path);
  await git("--git-dir", path, "symbolic-ref", "HEAD", `refs/heads/${branch}`);
  for (const [key, value] of [
    ["uploadpack.allowFilter", "true"],
    ["uploadpack.allowAnySHA1InWant", "true"],
    ["http.receivepack", "true"],
    ["gc.auto", "0"],
  ] as const) {
    await git("--git-dir", path, "config", key, value);
  }
}
