import { GitError, type Provenance } from "../git/index.ts";
import type { GitFilesInputs } from "./inputs.ts";
import type { WriterLookup } from "./writerLookup.ts";

/**
 * Files that another stack wrote are not taken over by looking the same: when one of the two is destroyed, the other
 * would lose what its cluster runs.
 *
 * @throws GitError "conflict" that names the files, the stack that wrote them and the ways on.
 */
export async function refuseOtherWriters(
  { project, stack }: Provenance,
  { repository: url, branch, directory, files }: GitFilesInputs,
  lookup: WriterLookup,
): Promise<void> {
  const writers = await lookup.find({ url, branch, directory, paths: Object.keys(files) });
  const others = [...writers].filter(
    ([, { writer }]) => writer !== undefined && writer !== `${project}/${stack}`,
  );
  const [first] = others;
  if (first === undefined) return;
  const [, { writer = "", commit }] = first;
  throw new GitError(
    "conflict",
    `${others.map(([path]) => path).join(", ")}: written by stack ${writer} (commit ${commit.slice(0, 10)}), which ` +
      `manages this folder. Two stacks must not: destroying one would take the files from the other. Select other ` +
      `clusters here (arcflux:clusters), move the resource with \`pulumi state move\`, or take the files over with ` +
      `stack config arcflux:adopt overwrite.`,
  );
}
