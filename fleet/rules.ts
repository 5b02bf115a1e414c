/** Forms that a text may have, each with the sentence that says what is allowed. */
export interface Rule {
  readonly pattern: RegExp;
  /** Ends a message: "…; allowed are …". */
  readonly allowed: string;
}

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

export const rules = {
  /** Azure takes 1-63 letters, digits, - and _; a folder name should begin and end with none of the signs. */
  clusterName: {
    pattern: /^[A-Za-z0-9]([-_A-Za-z0-9]{0,61}[A-Za-z0-9])?$/,
    allowed: "a cluster name has 1 to 63 letters, digits, - and _, a letter or digit first and last",
  },
  /** A Kustomization's name ends up as a label value on all it applies, hence 63 although names may be longer. */
  setName: {
    pattern: new RegExp(`^(?=.{1,63}$)${label}(\\.${label})*$`),
    allowed:
      "a set name has 1 to 63 lower-case letters, digits, - and ., a letter or digit at either end of each part",
  },
  /** An entry of `removed`. */
  removedSet: {
    pattern: new RegExp(`^([A-Za-z0-9][-_A-Za-z0-9]*/)?(?=.{1,63}$)${label}(\\.${label})*$`),
    allowed: "write the name of a set, cluster/set, or a map such as {app: till} or {cluster: edge-3}",
  },
  /** Azure's rule for a Flux configuration. */
  configName: {
    pattern: /^[a-z\d]([-a-z\d]{0,28}[a-z\d])?$/,
    allowed:
      "a configuration name has 1 to 30 lower-case letters, digits and -, a letter or digit first and last",
  },
  /** What Flux substitutes; anything else breaks the build on the cluster. */
  variableName: {
    pattern: /^[_a-zA-Z][_a-zA-Z0-9]*$/,
    allowed: "a variable name has letters, digits and _, and no digit first",
  },
  /** Kubernetes tells kinds apart by case, and Flux passes over one that it does not know. */
  kind: {
    pattern: /^[A-Z][A-Za-z0-9]*$/,
    allowed: "a kind begins with an upper-case letter, such as Deployment",
  },
  namespace: {
    pattern: new RegExp(`^(?=.{1,63}$)${label}$`),
    allowed: "a namespace has 1 to 63 lower-case letters, digits and -, a letter or digit first and last",
  },
  /** Most objects of Kubernetes. */
  objectName: {
    pattern: new RegExp(`^(?=.{1,253}$)${label}(\\.${label})*$`),
    allowed:
      "a name has 1 to 253 lower-case letters, digits, - and ., a letter or digit at either end of each part",
  },
  sourceName: {
    pattern: new RegExp(`^(?=.{1,63}$)${label}$`),
    allowed: "a source name has 1 to 63 lower-case letters, digits and -, a letter or digit first and last",
  },
  /** CronJobs have up to 52 characters, and those of a window have a prefix and a suffix. */
  windowName: {
    pattern: new RegExp(`^(?=.{1,30}$)${label}$`),
    allowed: "a window name has 1 to 30 lower-case letters, digits and -, a letter or digit first and last",
  },
  /** Objects of a tenant are called `tenant-` and its name, also in labels. */
  tenantName: {
    pattern: new RegExp(`^(?=.{1,50}$)${label}$`),
    allowed: "a tenant name has 1 to 50 lower-case letters, digits and -, a letter or digit first and last",
  },
  openingTime: {
    pattern: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]0Z$/,
    allowed: "write when it begins, in UTC and on a multiple of ten minutes, such as 2026-12-01T10:00Z",
  },
  alertName: {
    pattern: new RegExp(`^(?=.{1,63}$)${label}$`),
    allowed: "an alert name has 1 to 63 lower-case letters, digits and -, a letter or digit first and last",
  },
  appName: {
    pattern: new RegExp(`^(?=.{1,63}$)${label}$`),
    allowed: "an app name has 1 to 63 lower-case letters, digits and -, a letter or digit first and last",
  },
  /** A letter first, since JavaScript moves keys that look like numbers to the front, and the order of groups counts. */
  layerName: {
    pattern: /^[A-Za-z]([-_A-Za-z0-9]{0,61}[A-Za-z0-9])?$/,
    allowed: "a name of a stage or group has 1 to 63 letters, digits, - and _, a letter first",
  },
  extensionVersion: {
    pattern: /^\d+\.\d+\.\d+$/,
    allowed: "write a version of the extension, such as 1.24.1",
  },
  /** CPU or memory as Kubernetes takes it. */
  quantity: {
    pattern: /^\d+(\.\d+)?(m|[kKMGT]i?)?$/,
    allowed: "write a quantity, such as 500m of CPU or 512Mi of memory",
  },
  guid: {
    pattern: /^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
    allowed: "write a GUID, such as 11111111-2222-3333-4444-555555555555",
  },
  /** Such as `helm-controller.detectDrift`. */
  extensionSetting: {
    pattern: /^[A-Za-z][-A-Za-z0-9]*(\.[A-Za-z][-A-Za-z0-9]*)+$/,
    allowed: "a setting has a part and a name with a . between them, such as helm-controller.detectDrift",
  },
  ringName: {
    pattern: /^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/,
    allowed: "a name of a ring has 1 to 40 small letters, digits and -, a letter first",
  },
  attributeName: {
    pattern: /^[A-Za-z][-_A-Za-z0-9]{0,62}$/,
    allowed: "an attribute name has 1 to 63 letters, digits, - and _, a letter first",
  },
  labelKey: {
    pattern: new RegExp(
      `^((?=[^/]{1,253}/)${label}(\\.${label})*/)?(?=[^/]{1,63}$)[A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?$`,
    ),
    allowed:
      "a key has 1 to 63 letters, digits, -, _ and ., a letter or digit first and last, optionally after a domain and /",
  },
  labelValue: {
    pattern: /^([A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?)?$/,
    allowed:
      "a label value is empty or has up to 63 letters, digits, -, _ and ., a letter or digit first and last",
  },
  resourceGroup: {
    pattern: /^[-\p{L}\p{N}_.()]{0,89}[-\p{L}\p{N}_()]$/u,
    allowed: "a resource group has 1 to 90 letters, digits, -, _, ., ( and ), and no . last",
  },
  location: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9 ]*$/,
    allowed: "a location is an Azure region such as westeurope",
  },
  tagKey: {
    pattern: /^[^<>%&\\?/\p{Cc}]{1,512}$/u,
    allowed: "a tag name has 1 to 512 characters, none of them < > % & \\ ? /",
  },
  tagValue: { pattern: /^[^\p{Cc}]{0,256}$/u, allowed: "a tag value has up to 256 characters" },
  /** Without a namespace, which is always the program's; attributes of the cluster may stand in it. */
  stackConfigKey: {
    pattern: /^([A-Za-z0-9_.-]|\{[A-Za-z][-_A-Za-z0-9]*\})+$/,
    allowed:
      "write the key of a stack config secret without arcflux: before it, such as kubeconfig-edge-0 or kubeconfig-{cluster}",
  },
  /** A key of stack config, a variable or a name in a vault, with the same in braces. */
  secretTemplate: {
    pattern: /^([A-Za-z0-9_.-]|\{[A-Za-z][-_A-Za-z0-9]*\})+$/,
    allowed:
      "write letters, digits, -, _ and ., with attributes of the cluster in braces, such as till-{cluster}",
  },
  vaultName: {
    pattern: /^[A-Za-z][-A-Za-z0-9]{1,22}[A-Za-z0-9]$/,
    allowed: "write the name of the vault alone, 3 to 24 letters, digits and -, such as kv-edge",
  },
  secretKey: {
    pattern: /^[-._A-Za-z0-9]{1,200}$/,
    allowed: "a key of a Secret has 1 to 200 letters, digits, -, _ and .",
  },
  vmSize: {
    // The letter p after the number of cores means ARM, for which the checksum of k3s is another.
    pattern: /^Standard_[A-Z]+[0-9]+(-[0-9]+)?[a-oq-z]*(_v[0-9]+)?$/,
    allowed: "write a size of x64, such as Standard_B2s",
  },
  sshPublicKey: {
    pattern: /^(ssh-rsa|ssh-ed25519) [A-Za-z0-9+/]{40,}={0,2}( [^\p{Cc}"'\\]*)?$/u,
    allowed: "write a public key of SSH on one line, such as ssh-ed25519 AAAA…",
  },
  k3sVersion: {
    pattern: /^v1\.[0-9]+\.[0-9]+\+k3s[0-9]+$/,
    allowed: "write a release of k3s, such as v1.36.5+k3s1",
  },
  sha256: { pattern: /^[0-9a-f]{64}$/, allowed: "write 64 digits of a SHA-256, 0-9 and a-f" },
  kubeContext: { pattern: /^\P{Cc}+$/u, allowed: "write the name of a context of your kubeconfig" },
  commitName: {
    pattern: /^(?=.*[\p{L}\p{N}])[^<>\p{Cc}]{1,200}$/u,
    allowed: "an author's name has at least one letter or digit, and no <, > or line break",
  },
  commitEmail: {
    pattern: /^(?=.*[\p{L}\p{N}])[^<>\s\p{Cc}]{1,200}$/u,
    allowed: "an author's address has no spaces, < or >, such as arcflux@example.com",
  },
} as const satisfies Record<string, Rule>;

/** Names a set cannot have, since a generated file or object has them. Returns what holds the name, or undefined. */
export function reservedSetName(name: string, config: string): string | undefined {
  if (name === "kustomization") return "kustomization.yaml is read by kustomize itself";
  if (name === "bootstrap" || name === `${config}-bootstrap`)
    return "it belongs to the bootstrap Kustomization";
  const prefix = /^(source|window|alert|tenant)-/.exec(name)?.[0];
  return prefix && `names that begin with ${prefix} belong to generated files of another kind`;
}
