import * as pulumi from "@pulumi/pulumi";

/** Inputs of {@link GitFiles}. None may be secret: all of them end up in Git, where everyone reads them. */
export interface GitFilesArgs {
  /** URL of the repository, without credentials. These come from the environment or git's own helpers. */
  readonly repository: pulumi.Input<string>;
  /** Branch to commit to; it must exist. */
  readonly branch: pulumi.Input<string>;
  /** Folder from the root of the repository, such as `clusters/edge-device-0`. */
  readonly directory: pulumi.Input<string>;
  /** Path below `directory` to content: text that ends in a newline. */
  readonly files: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Message of the commit. A change of it alone commits nothing. */
  readonly message: pulumi.Input<string>;
  /** Author and committer of the commit. A change of it alone commits nothing. */
  readonly author: pulumi.Input<{ name: pulumi.Input<string>; email: pulumi.Input<string> }>;
}

/**
 * A set of files in a folder of a Git repository, written in one commit.
 *
 * Served by the plugin in this folder. It changes and deletes only what it wrote itself: a file that
 * someone else wrote or changed stops the update with an error that names it.
 */
export class GitFiles extends pulumi.CustomResource {
  /** Commit that last wrote the files, or the one at which they were found as wanted. */
  declare readonly commit: pulumi.Output<string>;
  /** Path below the folder to the Git blob written there. */
  declare readonly blobs: pulumi.Output<Record<string, string>>;
  /** Only after a refresh that saw other content: path to the blob seen, or `deleted`. */
  declare readonly drift: pulumi.Output<Record<string, string> | undefined>;

  constructor(name: string, args: GitFilesArgs, opts?: pulumi.CustomResourceOptions) {
    super("arcflux-git:index:GitFiles", name, { ...args, commit: undefined, blobs: undefined }, opts);
  }
}
