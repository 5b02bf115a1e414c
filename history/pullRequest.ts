/**
 * The pull request that a commit came by, as the hosts write it into messages: GitHub `#12`, Azure DevOps `!12`, GitLab
 * `group/project!12`; undefined where none is named.
 */
export function pullRequestOf(message: string): string | undefined {
  const [subject = ""] = message.split("\n", 1);
  const github = /^Merge pull request #(\d+) |\(#(\d+)\)$/.exec(subject);
  if (github) return `#${github[1] ?? github[2]}`;
  const azure = /^Merged PR (\d+):/.exec(subject);
  if (azure) return `!${azure[1]}`;
  return /^See merge request (\S*!\d+)$/m.exec(message)?.[1];
}
