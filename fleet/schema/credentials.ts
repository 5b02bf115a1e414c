import { part, word } from "./fields.ts";
import { valueSource } from "./secrets.ts";

/** What clusters read the repository with, where it is not public. No value stands in the fleet file. */
export const credentialFields = {
  credentials: part(
    valueSource,
    "Where the token or SSH key comes from that clusters read the repository with. Default: stack config arcflux:repositoryToken or arcflux:repositorySshKey.",
    { keyVault: { vault: "kv-edge", secret: "git-{cluster}" } },
  ),
  user: part(
    word(),
    "User name beside the token. Default: stack config arcflux:repositoryUser, else git.",
    "git",
  ),
};
