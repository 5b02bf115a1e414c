import * as pulumi from "@pulumi/pulumi";

import type { ClusterUpdate } from "../fleet/facts.ts";
import { GitFiles, type GitFilesArgs } from "../provider/gitFiles.ts";
import { fullPath } from "../values/path.ts";

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
  /** Message of the commits, with fields in braces such as `{cluster}` and `{changes}`. Defaults to `{summary}`. */
  readonly message?: string;
  /** How the files reach the branch. Defaults to an unsigned commit, pushed. */
  readonly delivery?: GitFilesArgs["delivery"];
  /** What to do with files that others wrote, changed, or would lose. Defaults to stopping, and to deleting our own. */
  readonly conflicts?: Pick<GitFilesArgs, "adopt" | "drift" | "onDelete" | "takeFrom">;
  /** The folder below the cluster folder that Flux follows. Defaults to the cluster folder itself. */
  readonly followed?: string;
  /** Name that the cluster had before. */
  readonly formerly?: string;
  /** Folders, from the root, that the cluster has left and no longer follows. */
  readonly released?: readonly string[];
  /** Path from the root to the blob of each file that may be deleted. Defaults to all that goes. */
  readonly deletions?: Readonly<Record<string, string>> | undefined;
  /** What policies judge of the update before the files are written. */
  readonly facts?: ClusterUpdate | undefined;
}

/** What the state knows of the inventory of a cluster. */
export interface SavedInventory {
  /** The folder that Flux follows, from the root. */
  readonly folder: string;
  /** Project, stack and cluster. */
  readonly owner: string;
  readonly serial: number;
}

/** The generated Flux objects of a cluster, committed to its folder in the GitOps repository. */
export class FluxFolder extends pulumi.ComponentResource {
  /** Cluster folder in the repository. */
  readonly folder: pulumi.Output<string>;
  /** Commit that last changed it. */
  readonly commit: pulumi.Output<string>;
  /** URL of the pull request that waits to be merged, or its side branch where the host has no interface. */
  readonly pullRequest: pulumi.Output<string | undefined>;
  /** Folders, from the root, that the files have left and that stay until `removed` names them; undefined without any. */
  readonly left: pulumi.Output<readonly string[] | undefined>;
  /** Where its inventory lies, whom that names, and the serial of the last write. */
  readonly inventory: pulumi.Output<SavedInventory>;

  constructor(name: string, args: FluxFolderArgs, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:FluxFolder", name, {}, opts);

    const files = new GitFiles(
      `${name}-files`,
      {
        repository: args.repository,
        branch: args.branch,
        directory: args.folder,
        files: { ...args.files },
        message: args.message ?? "{summary}",
        author: args.author,
        ...(args.delivery !== undefined && { delivery: args.delivery }),
        ...args.conflicts,
        ...(args.followed !== undefined && { followed: args.followed }),
        ...(args.formerly !== undefined && { formerly: args.formerly }),
        ...(args.released !== undefined && { released: [...args.released] }),
        ...(args.deletions !== undefined && { deletions: { ...args.deletions } }),
        ...(args.facts !== undefined && { facts: args.facts }),
      },
      { parent: this },
    );
    this.folder = pulumi.output(args.folder);
    this.commit = files.commit;

    this.pullRequest = whereKnown(files.pullRequest).apply((one) => one?.url ?? one?.branch);
    this.left = whereKnown(files.left);
    const followed = args.followed === undefined ? args.folder : fullPath(args.folder, args.followed);
    this.inventory = pulumi.output({ folder: followed, owner: files.owner, serial: files.serial });

    const { folder, commit, pullRequest, left, inventory } = this;
    this.registerOutputs({ folder, commit, pullRequest, left, inventory });
  }
}

/** In a preview what the state has not is unknown, though nothing changes; then it is undefined, as after an update. */
function whereKnown<T>(output: pulumi.Output<T | undefined>): pulumi.Output<T | undefined> {
  const { isKnown } = output as unknown as { readonly isKnown: Promise<boolean> };
  return pulumi.output(
    isKnown.then((known): pulumi.Input<T | undefined> => (known ? output : undefined)),
  ) as pulumi.Output<T | undefined>;
}
