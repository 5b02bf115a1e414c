import { pushArgv } from "./argv.ts";
import { classifyPush } from "./outcome.ts";
import type { Failure } from "./outcome.ts";
import type { Scratch } from "./scratch.ts";
import type { ObjectId } from "./types.ts";

/**
 * Pushes a commit made on the fetched tip; undefined when it landed. Compare-and-swap without force: the tip is the
 * only commit of the remote branch that the scratch repository knows, so git refuses by itself when the branch holds
 * anything else, newer or older. `create`: the branch must not exist.
 */
export async function push(
  scratch: Scratch,
  commit: ObjectId,
  branch: string,
  create = false,
): Promise<Failure | undefined> {
  scratch.session.assertAlive();
  const { code, stdout, stderr } = await scratch.git(pushArgv(commit, branch, create), { timeout: "push" });
  return classifyPush(code, scratch.session.redact(stdout.toString()), stderr);
}
