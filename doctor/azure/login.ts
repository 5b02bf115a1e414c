import type { AzureAccess } from "../../status/index.ts";
import { printable } from "../../values/show.ts";
import type { Checkup } from "../checkup.ts";

/** Who is logged in at Azure, as the token says. */
export interface Login {
  /** Object id in the directory, which role assignments name; undefined where the token does not say. */
  readonly objectId: string | undefined;
  readonly principal: "User" | "ServicePrincipal";
  /** Address of a person, or id of an application. */
  readonly name: string;
}

/** Gets a token. Rejects where there is no login. Undefined where the token tells nothing, as on loopback. */
export async function readLogin({ credential, endpoint }: AzureAccess): Promise<Login | undefined> {
  const scope = `${endpoint ?? "https://management.azure.com"}/.default`;
  const answer = await credential.getToken(scope);
  if (answer === null) throw new Error("nobody is logged in");
  return loginOf(answer.token);
}

/** Reads the claims of an access token; whether it is genuine is Azure's to say. */
export function loginOf(token: string): Login | undefined {
  const [, payload] = token.split(".");
  if (payload === undefined) return undefined;
  let claims: Partial<Record<string, unknown>>;
  try {
    claims = Object(JSON.parse(Buffer.from(payload, "base64url").toString())) as typeof claims;
  } catch {
    return undefined;
  }
  const text = (key: string): string | undefined =>
    typeof claims[key] === "string" ? claims[key] : undefined;
  const person = text("upn") ?? text("preferred_username") ?? text("unique_name");
  const isPerson = text("idtyp") === "user" || (text("idtyp") === undefined && person !== undefined);
  return {
    objectId: text("oid"),
    principal: isPerson ? "User" : "ServicePrincipal",
    name: printable((isPerson ? person : undefined) ?? text("appid") ?? text("oid") ?? "unknown"),
  };
}

/** That a person's login is used is a warning: it ends with the person, and may do more than an update needs. */
export function loginCheckup(login: Login | undefined): Checkup {
  const about = "Azure login";
  if (login === undefined)
    return { about, state: "ok", text: "Azure answers; the token does not say whose it is" };
  if (login.principal === "ServicePrincipal")
    return { about, state: "ok", text: `application or managed identity ${login.name}` };
  return {
    ...{
      about,
      state: "warning",
      text: `${login.name} is a person; pipelines need an identity of their own`,
    },
    mend: "az ad sp create-for-rbac --name arcflux, or federated credentials (OIDC) in CI, and ARM_CLIENT_ID, ARM_TENANT_ID",
  };
}
