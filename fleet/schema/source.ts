import { z } from "zod";
import { branchFault, refFault, tagFault } from "../../values/branch.ts";
import { faultless } from "../values.ts";
import { duration } from "../values.ts";
import { sourceUrlFault } from "../sourceUrl.ts";
import { must, part, reference, sourceText, word } from "./fields.ts";

/* Sources: Flux's GitRepository, OCIRepository and Bucket by their own fields, beside `kind` and `url: self`. */

const name = (what: string, fault?: (text: string) => string | undefined) =>
  sourceText(what, { least: 1, ...(fault && { fault }) });

const branch = () => name("a branch", branchFault);
const tag = () => name("a tag", tagFault);
const fullRef = () => name("a ref", refFault);

const version = String.raw`v?(?:\d+|[xX*])(?:\.(?:\d+|[xX*])){0,2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?`;
const bound = String.raw`(?:${version} +- +${version}|(?:(?:[=!><~^]|[!><]=|=[><]|~>) *)?${version})`;
const bounds = `${bound}(?:(?: *, *| +)${bound})*`;

/** A range as Flux takes it: bounds with comparators, ~, ^, x or *, side by side, and alternatives by ||. */
const range = () =>
  sourceText("a range", {
    pattern: new RegExp(`^ *${bounds}(?: *\\|\\| *${bounds})* *$`),
    allowed: 'write a range of versions, such as 1.x, ~1.4 or ">=1.2.0 <2.0.0"',
  });

const commit = () =>
  sourceText("a commit", {
    pattern: /^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/,
    allowed: "write the whole hash of the commit, of 40 (or with SHA-256, 64) digits from 0 to f",
  });

const common = {
  interval: must(duration({ least: 60 }).default("10m"), "How often Flux looks for a new revision."),
  timeout: part(duration({ hours: false }), "How long one fetch may take; without hours. Default: 60s."),
  ignore: part(z.string(), "What is left out of the artifact, in the format of .gitignore."),
  suspend: part(z.boolean(), "Whether Flux leaves the source as it is."),
  secretRef: reference("Secret with the credentials."),
  proxySecretRef: reference("Secret with the address and credentials of a proxy."),
  serviceAccountName: part(word(), "Service account for access without a secret."),
};

const git = z.strictObject({
  kind: must(z.literal("GitRepository"), "A Git repository."),
  url: must(
    faultless(sourceUrlFault(["https", "http", "ssh"], true), { echo: false }),
    "https://, http:// or ssh:// URL without credentials; self is the fleet's own repository.",
    "self",
  ),
  ref: part(
    z.strictObject({
      branch: part(branch(), "Follows a branch."),
      tag: part(tag(), "Stays on a tag."),
      semver: part(range(), "Follows the highest tag in a range, such as 1.x."),
      name: part(fullRef(), "Follows any ref, such as refs/pull/1/head."),
      commit: part(commit(), "Stays on a commit; with `branch` only that is fetched."),
    }),
    "What of the repository. Default of `self`: the branch that the cluster follows. A cluster's pin takes its place.",
    { tag: "v1.4.0" },
  ),
  provider: part(z.enum(["generic", "aws", "azure", "github"]), "How Flux signs in. Default: generic."),
  verify: part(
    z.strictObject({
      mode: part(z.enum(["HEAD", "Tag", "TagAndHEAD", "head"]), "What must be signed. Default: HEAD."),
      secretRef: must(
        z.strictObject({ name: must(word(), "Its name.") }),
        "Secret with the public keys of trusted authors.",
      ),
    }),
    "Takes only what is signed.",
  ),
  recurseSubmodules: part(z.boolean(), "Whether submodules are fetched."),
  sparseCheckout: part(z.array(word()), "Folders that are checked out; all by default."),
  include: part(
    z.array(
      z.strictObject({
        repository: must(z.strictObject({ name: must(word(), "Its name.") }), "Another GitRepository."),
        fromPath: part(z.string(), "Folder there."),
        toPath: part(z.string(), "Folder here."),
      }),
    ),
    "Content of other GitRepositories.",
  ),
  ...common,
});

const oci = z.strictObject({
  kind: must(z.literal("OCIRepository"), "An OCI artifact."),
  url: must(
    faultless(sourceUrlFault(["oci"]), { echo: false }),
    "oci:// URL without tag and credentials.",
    "oci://ghcr.io/org/manifests",
  ),
  ref: part(
    z.strictObject({
      tag: part(name("a tag"), "Follows a tag. Default: latest."),
      semver: part(range(), "Follows the highest tag in a range, such as 1.x."),
      semverFilter: part(name("a filter"), "Regular expression that tags must match before semver."),
      digest: part(name("a digest"), "Stays on a digest, sha256:…"),
    }),
    "What of the artifact. A cluster's pin takes its place.",
    { tag: "1.4.0" },
  ),
  layerSelector: part(
    z.strictObject({
      mediaType: part(word(), "Media type of the layer."),
      operation: part(z.enum(["extract", "copy"]), "What is done with it. Default: extract."),
    }),
    "Which layer is taken. Default: the first.",
  ),
  provider: part(z.enum(["generic", "aws", "azure", "gcp"]), "How Flux signs in. Default: generic."),
  verify: part(
    z.strictObject({
      provider: must(z.enum(["cosign", "notation"]).default("cosign"), "Who signed."),
      secretRef: reference("Secret with the public keys."),
      trustedRootSecretRef: reference(
        "Secret with the trusted root of a Sigstore of one's own. Needs Flux 2.9.",
      ),
      matchOIDCIdentity: part(
        z.array(
          z.strictObject({
            issuer: must(word(), "Regular expression."),
            subject: must(word(), "Regular expression."),
          }),
        ),
        "Identities whose keyless signature is taken.",
      ),
    }),
    "Takes only what is signed.",
  ),
  certSecretRef: reference("Secret with certificates of the registry."),
  insecure: part(z.boolean(), "Whether plain HTTP will do."),
  ...common,
});

const bucket = z.strictObject({
  kind: must(z.literal("Bucket"), "A bucket of object storage."),
  bucketName: must(word(), "Its name."),
  endpoint: must(word(), "Host of the storage, without a scheme.", "minio.example.com"),
  region: part(word(), "Region of the bucket."),
  prefix: part(word(), "Only what is below this prefix."),
  provider: part(z.enum(["generic", "aws", "gcp", "azure"]), "How Flux signs in. Default: generic."),
  certSecretRef: reference("Secret with certificates of the endpoint."),
  insecure: part(z.boolean(), "Whether plain HTTP will do."),
  sts: part(
    z.strictObject({
      provider: must(z.enum(["aws", "ldap"]), "Kind of the token service."),
      endpoint: must(word(), "Its URL."),
      secretRef: reference("Secret with its credentials."),
      certSecretRef: reference("Secret with its certificates."),
    }),
    "Token service that hands out temporary credentials.",
  ),
  ...common,
});

export const source = z.discriminatedUnion("kind", [git, oci, bucket]).meta({ id: "source" });
export type SourceEntry = z.output<typeof source>;

/** What a stage, group or cluster puts in the place of a source's `ref`. */
export const pin = z
  .strictObject({
    branch: part(branch(), "Follows a branch (GitRepository)."),
    tag: part(tag(), "Stays on a tag."),
    semver: part(range(), "Follows the highest tag in a range, such as 1.x."),
    commit: part(commit(), "Stays on a commit (GitRepository); may stand beside `branch`."),
    name: part(fullRef(), "Follows any ref (GitRepository)."),
    digest: part(name("a digest"), "Stays on a digest (OCIRepository)."),
    semverFilter: part(name("a filter"), "Beside semver (OCIRepository)."),
  })
  .meta({ id: "pin" });
export type Pin = z.output<typeof pin>;
