import type { FaultList } from "./armError.ts";
import { base64, oneOf, requiredText, seconds } from "./fieldRules.ts";
import type { Json } from "./json.ts";
import { asObject, isObject, show } from "./json.ts";

/** Where a Flux configuration may read from, and the property that describes each. */
const sources: Readonly<Record<string, string>> = {
  GitRepository: "gitRepository",
  Bucket: "bucket",
  AzureBlob: "azureBlob",
};

const refKinds = ["branch", "tag", "semver", "commit"] as const;
const secretKeys = ["httpsKey", "sshPrivateKey"] as const;

/** The rules on the source of a Flux configuration and on the credentials that go with it. */
export function checkSource(faults: FaultList, properties: Json): void {
  const kind = properties["sourceKind"] ?? "GitRepository";
  oneOf(faults, "properties.sourceKind", kind, Object.keys(sources));
  for (const [otherKind, property] of Object.entries(sources)) {
    const given = properties[property] !== undefined && properties[property] !== null;
    if (otherKind === kind && !given) {
      faults.add(
        `properties.${property}`,
        `The property is required with sourceKind '${kind}'.`,
        "MissingProperty",
      );
    }
    if (otherKind !== kind && given) {
      faults.add(`properties.${property}`, `The property is not allowed with sourceKind ${show(kind)}.`);
    }
  }
  if (kind === "GitRepository" && isObject(properties["gitRepository"])) {
    checkGit(faults, properties["gitRepository"], properties["configurationProtectedSettings"]);
  }
}

function checkGit(faults: FaultList, git: Json, protectedSettings: unknown): void {
  const at = "properties.gitRepository";
  const url = git["url"];
  const scheme = requiredText(faults, `${at}.url`, url) ? /^(https?:\/\/|ssh:\/\/|git@)/.exec(url)?.[1] : "";
  if (scheme === undefined) {
    faults.add(`${at}.url`, `${show(url)} must start with http://, https://, ssh:// or git@.`);
  }
  if (/^https?:\/\/[^/]*@/.test(String(url))) {
    // The value is not shown: what stands before the @ is a credential.
    faults.add(`${at}.url`, "The URL contains a user or a token. Give httpsUser and the protected httpsKey.");
  }
  const ref = asObject(git["repositoryRef"]);
  const given = refKinds.filter((refKind) => typeof ref[refKind] === "string" && ref[refKind] !== "");
  if (given.length !== 1) {
    const received = given.length === 0 ? "none is given" : `${given.join(" and ")} are given`;
    faults.add(`${at}.repositoryRef`, `Exactly one of ${refKinds.join(", ")} is required; ${received}.`);
  }
  seconds(faults, `${at}.syncIntervalInSeconds`, git["syncIntervalInSeconds"]);
  seconds(faults, `${at}.timeoutInSeconds`, git["timeoutInSeconds"]);
  base64(faults, `${at}.httpsCACert`, git["httpsCACert"]);
  base64(faults, `${at}.sshKnownHosts`, git["sshKnownHosts"]);
  checkCredentials(faults, git, asObject(protectedSettings), scheme ?? "");
}

function checkCredentials(faults: FaultList, git: Json, secrets: Json, scheme: string): void {
  const at = "properties.configurationProtectedSettings";
  for (const [key, value] of Object.entries(secrets)) {
    if (!secretKeys.some((known) => known === key)) {
      faults.add(
        `${at}.${key}`,
        `The key is not known for a GitRepository. Known are ${secretKeys.join(", ")}.`,
      );
      continue;
    }
    if (value === "") faults.add(`${at}.${key}`, "The value is empty.");
    base64(faults, `${at}.${key}`, value);
  }
  const has = (value: unknown): boolean => value !== undefined && value !== null && value !== "";
  const httpsKey = has(secrets["httpsKey"]);
  const httpsUser = has(git["httpsUser"]);
  if (httpsUser !== httpsKey) {
    const [present, absent] = httpsUser ? ["httpsUser", "httpsKey"] : ["httpsKey", "httpsUser"];
    faults.add(at, `${present} is given without ${absent}; they come together.`);
  }
  const https = httpsUser || httpsKey || has(git["httpsCACert"]);
  const ssh = has(secrets["sshPrivateKey"]) || has(git["sshKnownHosts"]);
  if (https && ssh) faults.add(at, "HTTPS and SSH credentials exclude each other.");
  const isHttp = scheme.startsWith("http");
  if (https && !isHttp && scheme !== "")
    faults.add(at, "HTTPS credentials need a URL that starts with https://.");
  if (ssh && isHttp) faults.add(at, "SSH credentials need a URL that starts with ssh:// or git@.");
  if (has(git["localAuthRef"]) && (https || ssh)) {
    faults.add(
      "properties.gitRepository.localAuthRef",
      "A local secret and given credentials exclude each other.",
    );
  }
}
