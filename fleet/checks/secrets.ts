import { calledSecret, secretsIn } from "../../values/plainTextSecret.ts";
import type { Path } from "../finding.ts";
import { allHolders } from "../layers.ts";
import type { AppEntry } from "../schema/app.ts";
import type { SetFields } from "../schema/set.ts";
import type { Check } from "./report.ts";

const elsewhere = "in Git and Azure all could read it; keep it in a Secret on the cluster and refer to that";

/** No secret in plain text, wherever in the file it stands: all of it ends in Git or in Azure. No message has the value. */
export const checkSecrets: Check = ({ file, data, report, warn }) => {
  const certain = new Set<string>();
  for (const { path, kind } of secretsIn(data)) {
    certain.add(JSON.stringify(path));
    report([...path], `is ${kind} in plain text, and ${elsewhere}`);
  }

  const named = (path: Path, map: Readonly<Record<string, string>> | undefined) => {
    for (const name in map) {
      const at = [...path, name];
      if (calledSecret(name, map[name]!) && !certain.has(JSON.stringify(at)))
        warn(at, `is called a secret and stands here in plain text; ${elsewhere}`);
    }
  };
  const set = (path: Path, fields: SetFields | null | undefined) =>
    named([...path, "postBuild", "substitute"], fields?.postBuild?.substitute);

  /** Patches and values of apps, which nest; charts take the name of a Secret as `existingSecret`. */
  const nested = (path: Path, value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      if (typeof inner === "string" && !/^existing/i.test(key)) named(path, { [key]: inner });
      else nested(at, inner);
    }
  };
  const app = (path: Path, fields: AppEntry | null | undefined) => {
    if (!fields) return;
    nested([...path, "patch"], fields.patch);
    nested([...path, "values"], fields.values);
    for (const [index, { patch }] of (fields.patches ?? []).entries())
      nested([...path, "patches", index, "patch"], patch);
  };

  set(["defaults"], file.defaults);
  for (const name in file.sets) set(["sets", name], file.sets[name]);
  for (const { path, entry } of allHolders(file)) {
    named([...path, "variables"], entry.variables);
    set([...path, "defaults"], entry.defaults);
    for (const name in entry.sets) set([...path, "sets", name], entry.sets[name]);
    for (const name in entry.apps) app([...path, "apps", name], entry.apps[name]);
  }
};
