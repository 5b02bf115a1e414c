import type { Path } from "../finding.ts";
import { allHolders } from "../layers.ts";
import { namesSecret, secretShape } from "../../values/secretShapes.ts";
import type { SetFields } from "../schema/set.ts";
import type { Check } from "./report.ts";

const elsewhere =
  "it would stand in Git for all to read; keep it in a Secret on the cluster and name that in postBuild.substituteFrom";

/** No secret in plain text among what is committed. The value is in no message. */
export const checkSecrets: Check = ({ file, report, warn }) => {
  const values = (path: Path, map: Readonly<Record<string, string>> | undefined) => {
    for (const name in map) {
      const value = map[name]!;
      const shape = secretShape(value);
      if (shape) report([...path, name], `is ${shape} in plain text, and ${elsewhere}`);
      else if (namesSecret(name, value))
        warn([...path, name], `is called a secret and stands here in plain text; ${elsewhere}`);
    }
  };
  const set = (path: Path, fields: SetFields | null | undefined) =>
    values([...path, "postBuild", "substitute"], fields?.postBuild?.substitute);

  set(["defaults"], file.defaults);
  for (const name in file.sets) set(["sets", name], file.sets[name]);
  for (const { path, entry } of allHolders(file)) {
    values([...path, "variables"], entry.variables);
    set([...path, "defaults"], entry.defaults);
    for (const name in entry.sets) set([...path, "sets", name], entry.sets[name]);
  }
  for (const [alert, { provider }] of Object.entries(file.alerts)) {
    for (const field of ["address", "channel", "proxy", "username"] as const) {
      const shape = secretShape(provider[field] ?? "");
      if (shape)
        report(
          ["alerts", alert, "provider", field],
          `is ${shape} in plain text, and would stand in Git for all to read; put it into a Secret on the cluster and name that in secretRef`,
        );
    }
  }
};
