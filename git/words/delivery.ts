import type { Identity } from "./types.ts";

/** Hosts whose pull requests can be opened and read. */
export const hostKinds = ["github", "gitlab", "azureDevOps"] as const;
export type HostKind = (typeof hostKinds)[number];

/** How files reach their branch; every part has a default. */
export interface Delivery {
  /**
   * What to do where the branch does not exist: start it `fromDefault` (the tip of the repository's default branch) or
   * as an `orphan` (no history; also in an empty repository). Without it a missing branch is an error before any write.
   */
  readonly createBranch?: "fromDefault" | "orphan" | undefined;
  /** `push` (the default) commits to the branch; `pullRequest` to a side branch, and asks for it to be merged. */
  readonly mode?: "push" | "pullRequest" | undefined;
  readonly pullRequest?: PullRequestOptions | undefined;
  /** Who commits; the author where absent. */
  readonly committer?: Identity | undefined;
  /** Signs every commit; a signature that cannot be made fails the write before its push. */
  readonly signing?: Signing | undefined;
  /** File of certificate authorities (PEM) for the repository's host. */
  readonly caFile?: string | undefined;
  /**
   * What a commit holds: `push`, all that goes out together and is of one stack, template and author; `cluster` (the
   * default), one write.
   */
  readonly commitPer?: "push" | "cluster" | undefined;
  /** Name of the cluster, for the message and the trailers. */
  readonly cluster?: string | undefined;
  /** Name of the stage, for the message and the trailers. */
  readonly stage?: string | undefined;
}

export interface PullRequestOptions {
  /** Side branch, ours alone. Defaults to `arcflux/<project>/<stack>`: one pull request for a stack. */
  readonly branch?: string | undefined;
  /** The host's interface; told from the host name where absent. `git`: none, the branch alone is pushed. */
  readonly host?: HostKind | "git" | undefined;
  /** Base of the REST interface, where it is not where the host usually has it. */
  readonly apiUrl?: string | undefined;
  /** Defaults to the subject of the commit. */
  readonly title?: string | undefined;
}

/** Where a write comes from: what the trailers of its commit say. */
export interface Provenance {
  readonly project: string;
  readonly stack: string;
  readonly version: string;
  /** What the commits of one update have in common. */
  readonly update?: string | undefined;
  /** Name of the resource that writes; a stack has several. */
  readonly resource?: string | undefined;
  /** Defaults to what the write does: `create` where nothing was written before, `delete` where nothing is left. */
  readonly operation?: "create" | "update" | "delete" | "restore" | undefined;
}

/** How commits are signed. */
export interface Signing {
  /** Told from the key where absent. */
  readonly format?: "ssh" | "openpgp" | undefined;
  /**
   * File with the private key: OpenSSH, or an armored OpenPGP export; neither with a passphrase. An SSH public key makes
   * ssh-agent sign. Defaults to the key in ARCFLUX_GIT_SIGNING_KEY or the file in ARCFLUX_GIT_SIGNING_KEY_FILE.
   */
  readonly keyFile?: string | undefined;
}
