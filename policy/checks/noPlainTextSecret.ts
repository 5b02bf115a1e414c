import type { ResourceValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { heldSecret, secretsIn } from "../../values/plainTextSecret.ts";
import { checkEachKnown, type Step } from "../checkEachKnown.ts";
import { eachCommittedFile, isYaml } from "../committedFiles.ts";
import { asMap, asText } from "../plainValue.ts";
import { secretsOf } from "../secretsOf.ts";
import { isArcResource, isGitFiles } from "../resourceTypes.ts";
import { SecretFinds } from "../secretFinds.ts";

/** What a commit says beside the files. */
const ofCommit = ["repository", "message", "author", "delivery"];

interface Config {
  readonly allowedNames?: readonly string[];
}

/** What is committed is read by everyone who reads the repository, and stays in its history. */
export const noPlainTextSecret: ResourceValidationPolicy & About = {
  name: "no-plain-text-secret",
  description: "No text in committed files, and in what Azure Arc is told, is a secret in plain text.",
  why: "Whoever reads the repository or the resource reads it, and it stays in the history.",
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
    const found = new SecretFinds();
    const inFields = (fields: readonly string[]): Step[] =>
      fields.map((field) => ({
        about: `${field} of '${name}'`,
        check: () => {
          for (const { path, kind } of secretsIn(props[field], [field]))
            found.add(path.join("."), kind, `'${name}'`);
        },
      }));
    if (isArcResource(type)) {
      // Azure keeps protected settings to itself.
      const fields = Object.keys(props).filter((field) => field !== "configurationProtectedSettings");
      checkAll(inFields(fields), () => found.messages().forEach((message) => report(message)));
    }
    if (!isGitFiles(type)) return;
    const { allowedNames = [] } = args.getConfig<Config>();
    const inYaml = eachCommittedFile(props, ({ path, content }) => {
      if ("fault" in content) {
        const where = `GitFiles '${name}', file '${path}'`;
        report(`${where} ${content.fault}. It cannot be searched for secrets; correct the file.`);
        return;
      }
      for (const object of content.objects) {
        for (const { field, kind } of secretsOf(object, allowedNames))
          found.add(field, kind, `${object.title} in file '${path}'`);
      }
      for (const { kind } of secretsIn(content.rest)) found.add("a text", kind, `file '${path}'`);
    });
    const files = asMap(props["files"]) ?? {};
    const others = Object.keys(files).filter((path) => !isYaml(path));
    const inOthers = others.map((path) => ({
      about: `file '${path}'`,
      check: () => {
        const kind = heldSecret(asText(files[path]) ?? "");
        if (kind !== undefined) found.add("a text", kind, `file '${path}'`);
      },
    }));
    const steps = [...inFields(ofCommit), ...inYaml, ...inOthers];
    checkAll(steps, () => found.messages().forEach((message) => report(`GitFiles '${name}': ${message}`)));
  },
};

/** Runs the steps, and reports what was found also where one met a value that is not known yet. */
function checkAll(steps: Parameters<typeof checkEachKnown>[0], tell: () => void): void {
  try {
    checkEachKnown(steps);
  } finally {
    tell();
  }
}
