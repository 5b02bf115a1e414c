import * as pulumi from "@pulumi/pulumi";

import { GitFiles } from "../provider/gitFiles.ts";

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
  /** Author and committer of the commits. */
  readonly author: { readonly name: string; readonly email: string };
}

/** The generated Flux objects of a cluster, committed to its folder in the GitOps repository. */
export class FluxFolder extends pulumi.ComponentResource {
  /** Cluster folder in the repository. */
  readonly folder: pulumi.Output<string>;
  /** Commit that last changed it. */
  readonly commit: pulumi.Output<string>;

  constructor(name: string, args: FluxFolderArgs, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:FluxFolder", name, {}, opts);

    const files = new GitFiles(
      `${name}-files`,
      {
        repository: args.repository,
        branch: args.branch,
        directory: args.folder,
        files: { ...args.files },
        message: `Update ${args.folder}`,
        author: args.author,
      },
      { parent: this },
    );
    this.folder = pulumi.output(args.folder);
    this.commit = files.commit;

    this.registerOutputs({ folder: this.folder, commit: this.commit });
  }
}
