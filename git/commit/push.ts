import { pushArgv, pushTagArgv } from "../access/argv.ts";
import type { Start } from "./createBranch.ts";
import { classifyPush } from "../access/outcome.ts";
import type { Failure } from "../access/outcome.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import type { ObjectId } from "../words/types.ts";

/**
 * Pushes a commit made on the fetched tip; undefined when it landed. Compare-and-swap: git refuses by itself when the
 * branch holds anything but that tip, newer or older, or is gone; or, where the push makes it, when it exists.
 */
export async function push(
  scratch: Scratch,
  commit: ObjectId,
  branch: string,
  on: Pick<Start, "commit" | "create">,
): Promise<Failure | undefined> {
  scratch.session.assertAlive();
  const argv = pushArgv(commit, branch, on.create ? "" : on.commit);
  const { code, stdout, stderr } = await scratch.git(argv, { timeout: "push" });
  return classifyPush(code, scratch.session.redact(stdout.toString()), stderr);
}

/** Pushes a tag that must not be there yet; undefined when it landed. Git refuses to move one, and it is never forced. */
export async function pushTag(scratch: Scratch, id: ObjectId, tag: string): Promise<Failure | undefined> {
  scratch.session.assertAlive();
  const { code, stdout, stderr } = await scratch.git(pushTagArgv(id, tag), { timeout: "push" });
  return classifyPush(code, scratch.session.redact(stdout.toString()), stderr);
}
