import * as pulumi from "@pulumi/pulumi";

/** How clusters read the GitOps repository. The secret parts are Pulumi secrets. */
export type RepositoryAccess =
  | ({ readonly kind: "public" } & OverHttps)
  | ({
      readonly kind: "token";
      readonly user: pulumi.Input<string>;
      readonly token: pulumi.Output<string>;
    } & OverHttps)
  | {
      readonly kind: "ssh";
      readonly privateKey: pulumi.Output<string>;
      readonly knownHosts?: pulumi.Input<string>;
    };

interface OverHttps {
  /** Certificates (PEM) of the authorities that vouch for the host, where those that clusters know do not. */
  readonly authorities?: string;
}

/** What Azure needs of it: fields of the GitRepository and the protected settings beside them. */
export interface AzureAccess {
  readonly gitRepository: {
    readonly httpsUser?: pulumi.Input<string>;
    readonly httpsCACert?: string;
    readonly sshKnownHosts?: pulumi.Input<string>;
  };
  readonly protectedSettings?: pulumi.Output<Record<string, string>>;
}

/** Translates an access into Azure's fields; keys, certificates and known hosts are base64-encoded here, once. */
export function azureAccess(access: RepositoryAccess): AzureAccess {
  switch (access.kind) {
    case "public":
      return { gitRepository: azureAuthorities(access) };
    case "token":
      return {
        gitRepository: { httpsUser: access.user, ...azureAuthorities(access) },
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
 * The secret that Flux reads of an access: data by key, as text; undefined where it needs none.
 *
 * @throws a RunError when the host keys of an SSH server are missing, since Flux trusts none by itself.
 */
export function fluxSecret(access: RepositoryAccess): Record<string, pulumi.Input<string>> | undefined {
  switch (access.kind) {
    case "public":
      return access.authorities === undefined ? undefined : fluxAuthorities(access);
    case "token":
      return { username: access.user, password: pulumi.secret(access.token), ...fluxAuthorities(access) };
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

function azureAuthorities({ authorities }: OverHttps): { readonly httpsCACert?: string } {
  return authorities === undefined ? {} : { httpsCACert: base64(authorities) };
}

function fluxAuthorities({ authorities }: OverHttps): Record<string, string> {
  return authorities === undefined ? {} : { "ca.crt": authorities };
}

function settings(key: string, value: pulumi.Output<string>): pulumi.Output<Record<string, string>> {
  // azure-native does not mark protected settings as secret by itself.
  return pulumi.secret(value.apply((text) => ({ [key]: base64(text) })));
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
