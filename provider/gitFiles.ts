import * as pulumi from "@pulumi/pulumi";

import type { Delivery, PullRequestInfo } from "../git/index.ts";

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
  /** How the files reach the branch: by push or pull request, signed or not. A change of it alone commits nothing. */
  readonly delivery?: pulumi.Input<Delivery>;
  /** The folder below `directory` that the cluster follows, such as `flux`: the inventory lies there. Defaults to `directory`. */
  readonly followed?: pulumi.Input<string>;
  /** Name that the cluster had before: its folder is still ours. The name now is that of `delivery.cluster`, or the resource's. */
  readonly formerly?: pulumi.Input<string>;
  /** Project and stack, as in `edge/prod`, whose folder is taken over though there is no state of it. */
  readonly takeFrom?: pulumi.Input<string>;
  /** Folders, from the root, that the cluster has left and no longer follows: what is ours there is taken out. */
  readonly released?: pulumi.Input<readonly pulumi.Input<string>[]>;
  /**
   * Path from the root to the Git blob of each file that may be deleted. Where anything else would be, nothing is written:
   * the repository moved since the preview. Defaults to all that the inventory lists and nobody changed.
   */
  readonly deletions?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** What is known of the update as a whole, for policies to judge before anything is written. Nothing comes of it here. */
  readonly facts?: pulumi.Input<object>;
}

/**
 * A set of files in a folder of a Git repository, written in one commit.
 *
 * Served by the plugin in this folder. An inventory beside the files, in the same commit, says whose they are: a folder of
 * another owner is refused, and so is what someone else wrote or changed, with an error that shows the difference, unless
 * `adopt` or `drift` says otherwise. A move leaves the old folder complete until it is `released`.
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
  /** The same paths to the serial of the write that last changed them. */
  declare readonly serials: pulumi.Output<Record<string, number>>;
  /** Of the last write. */
  declare readonly serial: pulumi.Output<number>;
  /** Whom the inventory names: project, stack and cluster. */
  declare readonly owner: pulumi.Output<string>;
  /** Folders, from the root, that the files have left and that are not released. */
  declare readonly left: pulumi.Output<string[] | undefined>;

  constructor(name: string, args: GitFilesArgs, opts?: pulumi.CustomResourceOptions) {
    // An output exists on the object only when it is named here.
    const outputs = {
      commit: undefined,
      blobs: undefined,
      adopted: undefined,
      executable: undefined,
      seen: undefined,
      pullRequest: undefined,
      serials: undefined,
      serial: undefined,
      owner: undefined,
      left: undefined,
    };
    super("arcflux-git:index:GitFiles", name, { ...args, ...outputs }, opts);
  }
}
