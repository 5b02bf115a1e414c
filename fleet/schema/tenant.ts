import { z } from "zod";
import { rules } from "../rules.ts";
import { text } from "../values.ts";
import { matchLabels } from "./alert.ts";
import { must, part } from "./fields.ts";
import { labels } from "./set.ts";

/** A team that works in namespaces of its own, on the clusters that match. */
export const tenant = z
  .strictObject({
    match: part(matchLabels, "Labels of the clusters it is on, stage among them. Default: all.", {
      kind: "store",
    }),
    namespaces: must(
      z.array(text(rules.namespace)).min(1),
      "Namespaces that are made for it; its sets may work in these alone.",
      ["pizza"],
    ),
    role: part(
      text(rules.objectName),
      "ClusterRole that it has in its namespaces, and nowhere else. Default: admin.",
    ),
    labels: part(labels, "Labels of its namespaces.", { "pod-security.kubernetes.io/enforce": "restricted" }),
    sources: part(
      z.array(z.string()),
      "Keys of `sources` that its sets may take beside the fleet's own repository. Default: none.",
      ["pizza"],
    ),
    secrets: part(
      z.array(text(rules.objectName)),
      "Secrets of flux-system that its sets may decrypt with and take variables from, the tenant's own. Default: none.",
      ["pizza-age"],
    ),
  })
  .meta({ id: "tenant" });
