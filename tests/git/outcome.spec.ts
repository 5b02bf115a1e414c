import { describe, expect, it } from "vitest";
import { classifyFailure, classifyPush } from "../../git/access/outcome.ts";

const report = (status: string): string =>
  `To https://git.example.com/fleet.git\n!\t0123:refs/heads/main\t${status}\nDone\n`;

describe("B04, B16: a failed push", () => {
  it.each([
    ["git, tip unknown here", "[rejected] (fetch first)", ""],
    ["git, tip known here", "[rejected] (non-fast-forward)", ""],
    ["git, a lease", "[rejected] (stale info)", ""],
    [
      "git over HTTP",
      "[remote rejected] (failed to update ref)",
      "remote: error: cannot lock ref 'refs/heads/main': is at 1234abc but expected 5678def        \n",
    ],
    [
      "git, lock file held",
      "[remote rejected] (failed to update ref)",
      "remote: error: cannot lock ref 'refs/heads/main': Unable to create '/srv/r.git/refs/heads/main.lock': File exists.\n",
    ],
    [
      "GitHub",
      "[remote rejected] (cannot lock ref 'refs/heads/main': is at 1234abc but expected 5678def)",
      "",
    ],
    [
      "GitHub, a second wording",
      "[remote rejected] (cannot lock ref 'refs/heads/main': reference already exists)",
      "",
    ],
    ["GitLab", "[remote rejected] (failed to update ref)", ""],
    ["GitLab, a second wording", "[remote rejected] (reference already locked)", ""],
    ["Bitbucket", "[remote rejected] (incorrect old value provided)", ""],
    ["JGit and Gerrit", "[remote rejected] (failed to lock)", ""],
    [
      "Azure DevOps",
      "[remote rejected] (TF401028: The reference 'refs/heads/main' has already been updated by another client, so you cannot update it. Please try again.)",
      "",
    ],
  ])("is a race: %s", (_, status, beside) => {
    expect(classifyPush(1, report(status), beside)?.kind).toBe("race");
  });

  it.each([
    [
      "a hook",
      "[remote rejected] (pre-receive hook declined)",
      "remote: fetch first, then ask Pat\n",
      "ask Pat",
    ],
    [
      "a hook, naming a lock",
      "[remote rejected] (hook declined)",
      "remote: is at 12 but expected 34\n",
      "hook declined",
    ],
    [
      "GitHub's branch protection",
      "[remote rejected] (protected branch hook declined)",
      "remote: error: GH006: Protected branch update failed for refs/heads/main.        \nremote: error: Changes must be made through a pull request.\n",
      "GH006: Protected branch update failed for refs/heads/main.\nerror: Changes must be made",
    ],
    [
      "GitLab's branch protection",
      "[remote rejected] (pre-receive hook declined)",
      "remote: GitLab: You are not allowed to push code to protected branches on this project.\n",
      "GitLab: You are not allowed",
    ],
    [
      "Azure DevOps' policy",
      "[remote rejected] (TF402455: Pushes to this branch are not permitted; you must use a pull request to update this branch.)",
      "",
      "TF402455",
    ],
    [
      "a quota",
      "[remote rejected] (pre-receive hook declined)",
      "remote: Repository size limit exceeded\n",
      "size limit",
    ],
    [
      "a full disk",
      "[remote rejected] (unpacker error)",
      "remote: fatal: write error: No space left on device\n",
      "No space",
    ],
    [
      "rights on the server's disk",
      "[remote rejected] (failed to update ref)",
      "remote: error: cannot lock ref 'refs/heads/main': Unable to create '/srv/r.git/refs/heads/main.lock': Permission denied\n",
      "Permission denied",
    ],
    ["a checked-out branch", "[remote rejected] (branch is currently checked out)", "", "checked out"],
    ["a shallow push", "[remote rejected] (shallow update not allowed)", "", "shallow update not allowed"],
  ])("is a refusal, in the server's words: %s", (_, status, beside, said) => {
    const failure = classifyPush(1, report(status), beside);
    expect(failure?.kind).toBe("refused");
    expect(failure?.said).toContain(said);
    expect(failure?.said).not.toContain("remote:");
  });

  it("without a report is judged by what git wrote", () => {
    expect(classifyPush(128, "", "fatal: Authentication failed for 'https://x/'\n")?.kind).toBe(
      "authentication",
    );
    expect(classifyPush(0, "To x\n \t0123:refs/heads/main\t1..2\nDone\n", "")).toBeUndefined();
  });
});

describe("a failed connection", () => {
  it.each([
    [
      "authentication",
      "fatal: could not read Username for 'https://git.example.com': terminal prompts disabled",
    ],
    ["authentication", "fatal: Authentication failed for 'https://git.example.com/fleet.git/'"],
    [
      "authentication",
      "remote: Permission to edge/fleet.git denied to pat.\nfatal: unable to access 'https://github.com/edge/fleet.git/': The requested URL returned error: 403",
    ],
    [
      "authentication",
      "git@host: Permission denied (publickey).\nfatal: Could not read from remote repository.",
    ],
    ["authentication", "Host key verification failed.\nfatal: Could not read from remote repository."],
    [
      "authentication",
      "remote: TF401019: The Git repository with name x does not exist or you do not have permissions",
    ],
    ["unreachable", "fatal: unable to access 'https://x/': Could not resolve host: x"],
    [
      "unreachable",
      "fatal: unable to access 'https://x/': Failed to connect to x port 443: Connection refused",
    ],
    ["unreachable", "fatal: unable to access 'https://x/': SSL certificate problem: self-signed certificate"],
    [
      "unreachable",
      "remote: Repository not found.\nfatal: repository 'https://github.com/x/y.git/' not found",
    ],
    ["unreachable", "fatal: '/srv/none.git' does not appear to be a git repository"],
    ["unreachable", "fatal: unable to access 'https://x/': The requested URL returned error: 500"],
    ["busy", "fatal: unable to access 'https://x/': The requested URL returned error: 502"],
    [
      "busy",
      "error: RPC failed; HTTP 503 curl 22 The requested URL returned error: 503\nfatal: the remote end hung up unexpectedly",
    ],
    [
      "busy",
      "kex_exchange_identification: Connection closed by remote host\nfatal: Could not read from remote repository.",
    ],
    [
      "timeout",
      "fatal: unable to access 'https://x/': Operation too slow. Less than 1 bytes/sec transferred the last 60 seconds",
    ],
    ["missingBranch", "fatal: couldn't find remote ref refs/heads/edge"],
    ["failed", "fatal: something new"],
    ["failed", "remote: couldn't find remote ref refs/heads/edge\nfatal: something new"],
    ["unreachable", "fatal: https://x/info/refs not valid: is this a git repository?"],
  ])("%s: %s", (kind, stderr) => {
    expect(classifyFailure(`${stderr}\n`).kind).toBe(kind);
  });

  it("is told without hints, traces, progress and terminal colours", () => {
    const stderr = [
      "12:00:00.123456 git.c:460               trace: built-in: git fetch",
      "hint: Updates were rejected",
      "Compressing objects:  50%\rremote: \u001b[31mno\u001b[0m",
      "fatal: the end",
      "error: failed to push some refs to 'x'",
    ].join("\n");
    expect(classifyFailure(stderr).said).toBe("no\nthe end");
  });
});
