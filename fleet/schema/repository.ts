import { z } from "zod";
import { absolutePathFault } from "../../values/absolutePath.ts";
import { branchFault } from "../../values/branch.ts";
import { messageFault } from "../../values/commitMessage.ts";
import { accessKinds, branchOrigins, deliveryModes, pullRequestHosts, signatureFormats } from "../model.ts";
import { apiUrlFault, cloneUrl, urlFault } from "../../values/repositoryUrl.ts";
import { rules } from "../rules.ts";
import { date, faultless, text } from "../values.ts";
import { interval } from "./bootstrap.ts";
import { credentialFields } from "./credentials.ts";
import { must, part, word } from "./fields.ts";

const absolutePath = () => faultless(absolutePathFault);

const identity = z.strictObject({
  name: must(text(rules.commitName), "Name."),
  email: must(text(rules.commitEmail), "Address."),
});

const commit = z.strictObject({
  name: must(text(rules.commitName).default("Arcflux"), "Author's name."),
  email: must(text(rules.commitEmail).default("arcflux@localhost.invalid"), "Author's address."),
  message: part(
    faultless(messageFault),
    "Message of the commits: a subject, perhaps a blank line and a body. {cluster}, {changes} (the changed sets), {count}, {directory}, {branch}, {stack}, {project}, {stage}, {operation}, {version} and {summary} (what changed where) may stand in it. Default: {summary}.",
    "{stage}: {operation} {cluster} ({changes})",
  ),
  per: must(
    z.enum(["push", "cluster"]).default("push"),
    "What a commit holds. push: what goes out together, so that one change of a fleet is one commit. cluster: the files of one cluster.",
  ),
  committer: part(identity, "Who commits. Default: the author."),
  signing: part(
    z.strictObject({
      format: part(z.enum(signatureFormats), "Format of the signature. Default: told from the key."),
      keyFile: part(absolutePath(), "File of the private key. Default: ARCFLUX_GIT_SIGNING_KEY."),
    }),
    "Signs every commit; one that cannot be signed is not pushed.",
    {},
  ),
});

const pullRequest = z.strictObject({
  branch: part(
    faultless(branchFault),
    "Side branch, Arcflux's alone. Default: arcflux/<project>/<stack>.",
    "arcflux/stores",
  ),
  host: part(z.enum(pullRequestHosts), "Interface of the host. Default: told from its name; git has none."),
  apiUrl: part(
    faultless(apiUrlFault, { echo: false }),
    "Base of the host's REST interface, where it is not the usual one.",
    "https://git.example.com/api/v3",
  ),
  title: part(word(), "Title. Default: names the stack."),
});

export const repository = z.strictObject({
  url: must(
    faultless((url) => urlFault(cloneUrl(url)), { echo: false }),
    "The GitOps repository that clusters fetch, without credentials.",
    "https://git.example.com/edge/fleet.git",
  ),
  branch: must(faultless(branchFault).default("main"), "Branch that generated files are committed to."),
  access: must(z.enum(accessKinds).default("public"), "How clusters read the repository."),
  mode: must(
    z.enum(deliveryModes).default("push"),
    "push: commit to the branch. pullRequest: commit to a side branch, and ask for it to be merged.",
  ),
  pullRequest: part(pullRequest, "Of mode pullRequest."),
  createBranch: part(
    z.enum(branchOrigins),
    "How to start a branch that is missing: fromDefault, at the tip of the default branch; orphan, without history. Default: a missing branch is an error.",
  ),
  interval: part(
    interval,
    "How often clusters fetch it; whole seconds. Default: the interval of the bootstrap.",
    "5m",
  ),
  ...credentialFields,
  expires: part(
    date(),
    "Day on which the Git token ends, where the host does not say so itself.",
    "2027-01-31",
  ),
  caFile: part(
    absolutePath(),
    "File of certificate authorities (PEM) for the repository's host; Arcflux and the clusters trust them.",
  ),
  commit: commit.prefault({}).meta({ description: "Author of generated commits." }),
});
