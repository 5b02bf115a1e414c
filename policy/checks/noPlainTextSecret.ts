import type { ResourceValidationPolicy } from "@pulumi/policy";

import { checkEachKnown } from "../checkEachKnown.ts";
import { eachCommittedFile, isFlux, type CommittedObject } from "../committedFiles.ts";
import { plainTextSecret } from "../plainTextSecret.ts";
import { asMap, type PlainMap } from "../plainValue.ts";
import { isGitFiles } from "../resourceTypes.ts";
import { SecretFinds } from "../secretFinds.ts";

interface Config {
  readonly allowedNames?: readonly string[];
}

/** What is committed is read by everyone who reads the repository, and stays in its history. */
export const noPlainTextSecret: ResourceValidationPolicy = {
  name: "no-plain-text-secret",
  description: "No value of postBuild.substitute in committed files is a secret in plain text.",
  configSchema: {
    properties: {
      allowedNames: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "Variables that hold no secret although their name or value looks like one.",
      },
    },
  },
  validateResource: (args, report) => {
    const { type, name, props } = args;
    if (!isGitFiles(type)) return;
    const { allowedNames = [] } = args.getConfig<Config>();
    const found = new SecretFinds();
    const steps = eachCommittedFile(props, (path, content) => {
      if ("fault" in content) {
        const where = `GitFiles '${name}', file '${path}'`;
        report(
          `${where} is not YAML: ${content.fault}. It cannot be searched for secrets; correct the file.`,
        );
        return;
      }
      for (const object of content.objects.filter(isFlux)) {
        for (const [key, value] of Object.entries(substitute(object))) {
          const secret = allowedNames.includes(key) ? undefined : plainTextSecret(key, value);
          if (secret) found.add(key, secret, `${object.title} in file '${path}'`);
        }
      }
    });
    try {
      checkEachKnown(steps);
    } finally {
      for (const message of found.messages()) report(`GitFiles '${name}': ${message}`);
    }
  },
};

function substitute({ spec }: CommittedObject): PlainMap {
  return asMap(asMap(spec["postBuild"])?.["substitute"]) ?? {};
}
