import { readFile } from "node:fs/promises";
import { GitError } from "./errors.ts";

/**
 * The value of a variable, or of the file that its `_FILE` twin names; undefined when neither is set. White space
 * around it (the final newline of a file) is dropped. Rejects with GitError "invalid" for a file that cannot be read
 * or is empty.
 */
export async function readVariable(env: NodeJS.ProcessEnv, name: string): Promise<string | undefined> {
  const value = env[name]?.trim();
  if (value !== undefined && value !== "") return value;
  const path = env[`${name}_FILE`]?.trim();
  if (path === undefined || path === "") return undefined;
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new GitError(
      "invalid",
      `${name}_FILE names a file that cannot be read (${code}): ${JSON.stringify(path)}. Correct the path, or set ${name}.`,
    );
  });
  if (text.trim() === "") {
    throw new GitError("invalid", `${name}_FILE names an empty file: ${JSON.stringify(path)}.`);
  }
  return text.trim();
}
