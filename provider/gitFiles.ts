import * as pulumi from "@pulumi/pulumi";

import type { Delivery, PullRequestInfo } from "../git/index.ts";
import type { LeftFolders, LeftPlace } from "./state.ts";

/** Inputs of {@link GitFiles}. None may be secret: all of them end up in Git, where everyone reads them. */
export interface GitFilesArgs {
  /** URL of the repository, without credentials. These come from the environment or git's own helpers. */
  readonly repository: pulumi.Input<string>;
  /** Branch to commit to; it must exist, unless `delivery.createBranch` says how to make it. */
  readonly branch: pulumi.Input<string>;
  /** Folder from the root of the repository, such as `clusters/edge-device-0`. */
  readonly directory: pulumi.Input<string>;
  /** Path below `directory` to content: text that ends in a newline. */
  readonly files: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Message of the commit, with fields such as `{cluster}` and `{changes}`. A change of it alone commits nothing. */
  readonly message: pulumi.Input<string>;
  /** Author of the commit, and committer where `delivery` names none. A change of it alone commits nothing. */
  readonly author: pulumi.Input<{ name: pulumi.Input<string>; email: pulumi.Input<string> }>;
  /**
   * What to do where a file is there that Arcflux did not write. `same` (the default) takes it over without a commit
   * when it means the same, and else stops with a diff; `overwrite` writes over it. A file that holds objects of
   * others beside ours is refused either way.
   */
  readonly adopt?: pulumi.Input<"same" | "overwrite">;
  /**
   * What to do where someone changed or deleted a file that Arcflux wrote. `stop` (the default) writes nothing and
   * says what was changed, by which commit and by whom; `restore` puts ours back.
   */
  readonly drift?: pulumi.Input<"stop" | "restore">;
  /** Whether the files go when the resource goes: `delete` (the default) or `keep`. */
  readonly onDelete?: pulumi.Input<"delete" | "keep">;
  /**
   * Files that wait in a folder which they have moved from and others have files in: `wait` (the default) leaves them for
   * as long as a cluster may follow it; `finish` takes them out. A change of it alone matters only while there are any.
   */
  readonly onMove?: pulumi.Input<"wait" | "finish">;
  /** How the files reach the branch: by push or pull request, signed or not. A change of it alone commits nothing. */
  readonly delivery?: pulumi.Input<Delivery>;
}

/**
 * A set of files in a folder of a Git repository, written in one commit.
 *
 * Served by the plugin in this folder. It changes and deletes only what it wrote itself: a file that someone else
 * wrote or changed stops the update with an error that shows the difference, unless `adopt` or `drift` says otherwise.
 * Another folder, branch or repository is an update: the files appear in the new place before they leave the old one,
 * and no delete takes away what another resource of the same run has taken over.
 */
export class GitFiles extends pulumi.CustomResource {
  /** Commit that last wrote the files, or the one at which they were found as wanted. */
  declare readonly commit: pulumi.Output<string>;
  /** Path below the folder to the Git blob written there, or found to mean the same. */
  declare readonly blobs: pulumi.Output<Record<string, string>>;
  /** Those of `blobs` that were found with other bytes of the same meaning, with the blob that was to be written. */
  declare readonly adopted: pulumi.Output<Record<string, string> | undefined>;
  /** Those of `blobs` that were executable when they were found. */
  declare readonly executable: pulumi.Output<string[] | undefined>;
  /** Only after a refresh that saw other content: path to the blob seen (`, executable` after it), or `deleted`. */
  declare readonly seen: pulumi.Output<Record<string, string> | undefined>;
  /** Of a delivery by pull request: where it stands, as of the last update or refresh. */
  declare readonly pullRequest: pulumi.Output<PullRequestInfo | undefined>;
  /** Places that the files have moved from and where some wait for clusters to follow, until `onMove` is `finish`. */
  declare readonly leaving: pulumi.Output<LeftPlace[] | undefined>;
  /** Folders that the files have moved from, until `onMove` is `finish`: no other resource of the stack may come there. */
  declare readonly left: pulumi.Output<LeftFolders[] | undefined>;

  constructor(name: string, args: GitFilesArgs, opts?: pulumi.CustomResourceOptions) {
    // An output exists on the object only when it is named here.
    const outputs = {
      commit: undefined,
      blobs: undefined,
      adopted: undefined,
      executable: undefined,
      seen: undefined,
      pullRequest: undefined,
      leaving: undefined,
      left: undefined,
    };
    super("arcflux-git:index:GitFiles", name, { ...args, ...outputs }, opts);
  }
}
