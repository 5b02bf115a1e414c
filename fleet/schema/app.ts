import { z } from "zod";
import { folderPath } from "../values.ts";
import { must, part, word } from "./fields.ts";

/* An app as stages, groups and clusters take it: which folder, and what of it is changed. */

const target = z.strictObject({
  group: part(z.string(), "API group, such as helm.toolkit.fluxcd.io."),
  version: part(z.string(), "API version, such as v2."),
  kind: must(word(), "Kind, such as HelmRelease."),
  name: must(word(), "Its name."),
  namespace: part(z.string(), "Its namespace."),
  labelSelector: part(z.string(), "Label selector, such as app=web."),
  annotationSelector: part(z.string(), "Annotation selector."),
});

const patch = z.record(z.string(), z.unknown());

export const app = z
  .strictObject({
    path: part(folderPath(), "Folder of the app. Default: layout.apps with its name.", "./apps/podinfo"),
    target: part(target, "What `patch` is for, one for all layers: kind and name, also group, namespace.", {
      kind: "HelmRelease",
      name: "podinfo",
    }),
    patch: part(patch, "Merged over the target; those of stage, groups and cluster go one over the other.", {
      spec: { chart: { spec: { version: "1.4.2" } } },
    }),
    values: part(
      patch,
      "Short for a patch of spec.values of the HelmRelease: `target` where that is one, else that of the app's name.",
      { replicaCount: 2 },
    ),
    patches: part(
      z.array(
        z.strictObject({
          target: must(target, "What the patch is for."),
          patch: must(patch, "Merged over the target."),
        }),
      ),
      "Patches for other targets; added to those of earlier layers.",
    ),
  })
  .meta({ id: "app" });
export type AppEntry = z.output<typeof app>;
