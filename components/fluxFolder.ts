import { fullPaths } from "../values/path.ts";
import * as pulumi from "@pulumi/pulumi";

import { followedFolders } from "../git/index.ts";
import { GitFiles, type GitFilesArgs } from "../provider/gitFiles.ts";
import type { LeftPlace } from "../provider/state.ts";

/** Arguments of {@link FluxFolder}. */
export interface FluxFolderArgs {
  /** URL of the GitOps repository, without credentials. */
  readonly repository: string;
  /** Branch to commit to. */
  readonly branch: string;
  /** Cluster folder, such as `clusters/edge-device-0`. */
  readonly folder: string;
  /** Generated files: path below the cluster folder to content. */
  readonly files: Readonly<Record<string, string>>;
  /** Author of the commits. */
  readonly author: { readonly name: string; readonly email: string };
  /** Message of the commits, with fields in braces such as `{cluster}` and `{changes}`. Defaults to `Update {directory}`. */
  readonly message?: string;
  /** How the files reach the branch. Defaults to an unsigned commit, pushed. */
  readonly delivery?: GitFilesArgs["delivery"];
  /** What to do with files that others wrote, changed, or would lose. Defaults to stopping, and to deleting our own. */
  readonly conflicts?: Pick<GitFilesArgs, "adopt" | "drift" | "onDelete" | "onMove">;
}

/** The generated Flux objects of a cluster, committed to its folder in the GitOps repository. */
export class FluxFolder extends pulumi.ComponentResource {
  /** Cluster folder in the repository. */
  readonly folder: pulumi.Output<string>;
  /** Commit that last changed it. */
  readonly commit: pulumi.Output<string>;
  /** URL of the pull request that waits to be merged, or its side branch where the host has no interface. */
  readonly pullRequest: pulumi.Output<string | undefined>;
  /**
   * Folders, from the root, that the files have left and where some wait until `onMove` is `finish`; undefined without any.
   * One on another branch has that before it, as in `live:clusters/edge-1/flux`.
   */
  readonly waiting: pulumi.Output<readonly string[] | undefined>;

  constructor(name: string, args: FluxFolderArgs, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:FluxFolder", name, {}, opts);

    const files = new GitFiles(
      `${name}-files`,
      {
        repository: args.repository,
        branch: args.branch,
        directory: args.folder,
        files: { ...args.files },
        message: args.message ?? "Update {directory}",
        author: args.author,
        ...(args.delivery !== undefined && { delivery: args.delivery }),
        ...args.conflicts,
      },
      { parent: this },
    );
    this.folder = pulumi.output(args.folder);
    this.commit = files.commit;

    this.pullRequest = files.pullRequest.apply((one) => one?.url ?? one?.branch);
    this.waiting = files.leaving.apply((places) => places?.flatMap((place) => foldersLeft(place, args)));

    const { folder, commit, pullRequest, waiting } = this;
    this.registerOutputs({ folder, commit, pullRequest, waiting });
  }
}

/** The folders of a place; on another branch or in another repository than the files are now, with these, as git writes them. */
function foldersLeft({ repository, branch, directory, blobs }: LeftPlace, now: FluxFolderArgs): string[] {
  const folders = followedFolders(fullPaths(directory, Object.keys(blobs)));
  const elsewhere = repository === now.repository ? "" : `${repository} `;
  const prefix = elsewhere === "" && branch === now.branch ? "" : `${elsewhere}${branch}:`;
  return folders.map((folder) => `${prefix}${folder}`);
}
