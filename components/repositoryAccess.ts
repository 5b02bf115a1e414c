import * as pulumi from "@pulumi/pulumi";

/** How clusters read the GitOps repository. The secret parts are Pulumi secrets. */
export type RepositoryAccess =
  | { readonly kind: "public" }
  | { readonly kind: "token"; readonly user: pulumi.Input<string>; readonly token: pulumi.Output<string> }
  | {
      readonly kind: "ssh";
      readonly privateKey: pulumi.Output<string>;
      readonly knownHosts?: pulumi.Input<string>;
    };

/** What Azure needs of it: fields of the GitRepository and the protected settings beside them. */
export interface AzureAccess {
  readonly gitRepository: {
    readonly httpsUser?: pulumi.Input<string>;
    readonly sshKnownHosts?: pulumi.Input<string>;
  };
  readonly protectedSettings?: pulumi.Output<Record<string, string>>;
}

/** Translates an access into Azure's fields; keys and known hosts are base64-encoded here, once. */
export function azureAccess(access: RepositoryAccess): AzureAccess {
  switch (access.kind) {
    case "public":
      return { gitRepository: {} };
    case "token":
      return {
        gitRepository: { httpsUser: access.user },
        protectedSettings: settings("httpsKey", access.token),
      };
    case "ssh":
      return {
        gitRepository:
          access.knownHosts === undefined
            ? {}
            : { sshKnownHosts: pulumi.output(access.knownHosts).apply(base64) },
        protectedSettings: settings("sshPrivateKey", access.privateKey),
      };
    default:
      return access satisfies never;
  }
}

/**
 * The secret that Flux reads of an access: data by key, as text; undefined for a public repository.
 *
 * @throws a RunError when the host keys of an SSH server are missing, since Flux trusts none by itself.
 */
export function fluxSecret(access: RepositoryAccess): Record<string, pulumi.Input<string>> | undefined {
  switch (access.kind) {
    case "public":
      return undefined;
    case "token":
      return { username: access.user, password: pulumi.secret(access.token) };
    case "ssh":
      if (access.knownHosts === undefined) {
        throw new pulumi.RunError(
          "Stack config arcflux:repositoryKnownHosts is missing: Flux needs the host keys of the SSH server.\n" +
            "Set it to what `ssh-keyscan <host>` prints, once you have compared it with the keys that the server publishes.",
        );
      }
      return { identity: pulumi.secret(access.privateKey), known_hosts: access.knownHosts };
    default:
      return access satisfies never;
  }
}

function settings(key: string, value: pulumi.Output<string>): pulumi.Output<Record<string, string>> {
  // azure-native does not mark protected settings as secret by itself.
  return pulumi.secret(value.apply((text) => ({ [key]: base64(text) })));
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
