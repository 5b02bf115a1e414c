import type { SpecSchema } from "./schema.ts";

/* Patterns and rules of the CRDs in words. What Flux's CRDs hold is kept in the schemas; only its meaning stands here. */

const duration = "a duration of numbers with units";

/** What text that matches a pattern is called in messages. */
const patterns: Readonly<Record<string, string>> = {
  "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$": `${duration} ms, s, m or h, such as 10m or 1h30m`,
  "^([0-9]+(\\.[0-9]+)?(ms|s|m))+$": `${duration} ms, s or m (h is not taken here), such as 60s or 5m`,
  "^(http|https)://.*$": "a URL that begins with http:// or https://",
  "^(http|https|ssh)://.*$":
    "a URL that begins with https://, http:// or ssh://, such as ssh://git@git.example.com/edge/fleet.git",
  "^oci://.*$": "a URL that begins with oci://, such as oci://registry.example.com/fleet",
};

/** What is wrong when a rule is broken and what to do, and at which field below the object of the rule. */
export interface RuleWording {
  readonly at: readonly string[];
  readonly message: string;
}

const oneOfTwo = {
  at: [],
  message: "needs either secretRef or configMapRef: write one of the two, and not both",
};

const rules: Readonly<Record<string, RuleWording>> = {
  // Up to Flux 2.9 one condition is written as two rules; each fails alone.
  "has(self.configMapRef) || has(self.secretRef)": oneOfTwo,
  "!has(self.configMapRef) || !has(self.secretRef)": oneOfTwo,
  "has(self.configMapRef) != has(self.secretRef)": oneOfTwo,
  "self.provider == 'aws' || self.provider == 'generic' || !has(self.sts)": {
    at: ["sts"],
    message: "works only with the providers aws and generic: remove it, or change provider",
  },
  "self.provider != 'aws' || !has(self.sts) || self.sts.provider == 'aws'": {
    at: ["sts", "provider"],
    message: "must be aws when the provider of the bucket is aws",
  },
  "self.provider != 'generic' || !has(self.sts) || self.sts.provider == 'ldap'": {
    at: ["sts", "provider"],
    message: "must be ldap when the provider of the bucket is generic, which it is unless set",
  },
  "!has(self.sts) || self.sts.provider != 'aws' || !has(self.sts.secretRef)": {
    at: ["sts", "secretRef"],
    message: "is not taken with the token service aws: remove it",
  },
  "!has(self.sts) || self.sts.provider != 'aws' || !has(self.sts.certSecretRef)": {
    at: ["sts", "certSecretRef"],
    message: "is not taken with the token service aws: remove it",
  },
  "self.provider != 'generic' || !has(self.serviceAccountName)": {
    at: ["serviceAccountName"],
    message:
      "does not work with the provider generic, which is the one unless set: write provider aws, azure or gcp",
  },
  "!has(self.secretRef) || !has(self.serviceAccountName)": {
    at: ["serviceAccountName"],
    message: "is not taken together with secretRef: remove one of the two",
  },
  "!has(self.serviceAccountName) || (has(self.provider) && self.provider == 'azure')": {
    at: ["serviceAccountName"],
    message: "works only with the provider azure: write provider: azure, or remove it",
  },
  "!has(self.serviceAccountName) || (has(self.provider) && (self.provider == 'azure' || self.provider == 'aws'))":
    {
      at: ["serviceAccountName"],
      message: "works only with the providers azure and aws: write one of them as provider, or remove it",
    },
  "self.type == 'github' || self.type == 'gitlab' || self.type == 'gitea' || self.type == 'bitbucketserver' || self.type == 'bitbucket' || self.type == 'azuredevops' || !has(self.commitStatusExpr)":
    {
      at: ["commitStatusExpr"],
      message:
        "works only with the types that set a commit status (github, gitlab, gitea, bitbucketserver, bitbucket, azuredevops): remove it, or change type",
    },
};

/** Words for a rule; a rule without words is shown as it stands. */
export function ruleWording(rule: string): RuleWording {
  return rules[rule] ?? { at: [], message: `breaks the rule of Flux: ${rule}` };
}

/** What a schema takes, in words. */
export function expectation(schema: SpecSchema): string {
  switch (schema.type) {
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object": {
      const required = schema.required ?? [];
      if (schema.additionalProperties) return "a map";
      return required.length === 0 ? "a map" : `a map with ${required.join(" and ")}`;
    }
    case "string":
      if (schema.enum) return choice(schema.enum);
      if (schema.pattern !== undefined) return patternWording(schema.pattern);
      return "text";
  }
}

/** Words for a pattern; a pattern without words is shown as it stands. */
export function patternWording(pattern: string): string {
  return patterns[pattern] ?? `text that matches ${pattern}`;
}

/** `a, b or c`. */
export function choice(words: readonly string[]): string {
  const last = words.at(-1) ?? "nothing";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
