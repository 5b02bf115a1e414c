/**
 * What a commit says that it takes back, by the words of `git revert` and of the buttons of GitHub, GitLab and Azure DevOps:
 * a commit id, a pull or merge request such as `org/repo#12` or `!12`, or the title of what was reverted. Undefined where it
 * says nothing of the kind.
 */
export function takenBack(message: string): string | undefined {
  for (const words of spellings) {
    const [, what] = words.exec(message) ?? [];
    if (what !== undefined) return what;
  }
  return undefined;
}

const spellings: readonly RegExp[] = [
  // git revert, GitLab for a commit; Azure DevOps puts the id into backticks or not.
  /^(?:This reverts\s+commit|Reverted\s+commit)\s+`?([0-9a-f]{7,64})\b/m,
  // GitHub's pull request, and GitLab's merge request.
  /^Reverts\s+((?:[\w.-]+\/[\w.-]+)?[#!]\d+)\b/m,
  /^This reverts\s+merge request\s+((?:[\w./-]+)?!\d+)\b/m,
  // The title alone: a squash merge whose body was edited or is a list, the body of a merge commit, people's own words.
  /^(?:[*-] )?(?:Merged PR \d+: )?Revert(?:s|ed)?(?:\([^)\n]*\))?:? +["'“‘]?([^\n]*[^\s"'”’\n])/im,
  // A merge that says no more than the name which those buttons give to the branch.
  /^Merge (?:pull request #\d+ from [^/\s]+\/|(?:remote-tracking )?branch '(?:\S+\/)?)(revert-[^\s']+)/m,
];
