import { z } from "zod";
import { rules } from "../rules.ts";
import { folderPath, text } from "../values.ts";
import { part, sourceText } from "./fields.ts";
import { show } from "../../values/show.ts";

/* Entries of `removed`: each says what it is about, so that a name stands for one thing alone. */

const name = (rule: keyof typeof rules, what: string) => {
  const { pattern, allowed } = rules[rule];
  return sourceText(what, { pattern, allowed });
};

const whatGoes = ["set", "app", "window", "tenant", "secret", "folder"] as const;

/** A map with one of `set`, `app`, `window`, `tenant`, `secret` and `folder`, or with `cluster` alone. */
const entry = z
  .strictObject({
    set: part(name("setName", "a set"), "A set; with `from`, what it applied from there.", "pos"),
    from: part(
      sourceText("a path, source or URL", { least: 1 }),
      "With `set`: the path, source or URL that it had before, where it only changes that; with `tenant`: a namespace.",
      "./apps/pos-v1",
    ),
    app: part(name("appName", "an app"), "An app.", "pos"),
    window: part(name("windowName", "a window"), "A maintenance window.", "nightly"),
    tenant: part(
      name("tenantName", "a tenant"),
      "A tenant; with `from`, one of its namespaces alone.",
      "pizza",
    ),
    secret: part(name("sourceName", "a secret"), "A secret, by its key in `secrets`.", "till-api"),
    folder: part(folderPath(), "The old folder of a cluster that moved.", "stores/b"),
    cluster: part(
      name("clusterName", "a cluster"),
      "Alone: a cluster that is gone. Else: the only cluster that the entry is about.",
      "edge-3",
    ),
  })
  .superRefine((value, context) => {
    // An unknown key is said already, and what it should have named is missing because of it.
    if (context.issues.length > 0) return;
    const named = whatGoes.filter((key) => value[key] !== undefined);
    const message =
      named.length > 1 || (named.length === 0 && value.cluster === undefined)
        ? "has to name one thing; write one of set, app, window, tenant, secret, folder, or cluster alone"
        : value.from !== undefined && value.set === undefined && value.tenant === undefined
          ? "has `from` without `set` or `tenant`; write which of them changes"
          : value.folder !== undefined && value.cluster !== undefined
            ? "has `cluster` beside `folder`; a folder is one cluster's, so take `cluster` out"
            : undefined;
    if (message !== undefined) context.addIssue({ code: "custom", message });
  })
  .meta({ id: "removal", minProperties: 1 });

/** Taken as it stands in the file, like every name: a set may be called 0042. */
const shortForm = text(rules.removedSet).meta({ type: ["string", "number", "boolean"] });

export const removed = z
  .array(
    z.union([shortForm, entry], {
      error: ({ input }) => `${show(input)} is not allowed; ${rules.removedSet.allowed}`,
    }),
  )
  .default([])
  .meta({
    description:
      "Deletions that are decided: a set in all clusters, or cluster/set; or a map that says what it is about.",
    examples: [["pos", "edge-1/promo", { app: "till" }, { cluster: "edge-3" }]],
  });

/** An entry of `removed` as it is written. */
export type RemovalEntry = z.output<typeof removed>[number];
