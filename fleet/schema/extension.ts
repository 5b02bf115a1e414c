import { z } from "zod";
import { rules } from "../rules.ts";
import { named, text } from "../values.ts";
import { must, part, sourceText } from "./fields.ts";

/* Azure's Flux extension, microsoft.flux. */

/** Controllers that Flux works without; Azure's agent needs the other four. */
export const optionalControllers = ["image-automation-controller", "image-reflector-controller"] as const;

export const fluxControllers = [
  "source-controller",
  "kustomize-controller",
  "helm-controller",
  "notification-controller",
  ...optionalControllers,
] as const;

const amounts = (what: string) =>
  part(
    z.strictObject({
      cpu: part(text(rules.quantity), "CPU.", "500m"),
      memory: part(text(rules.quantity), "Memory.", "512Mi"),
    }),
    what,
  );

const controllers = <T extends z.ZodType>(names: readonly string[], value: T, description: string) =>
  part(z.partialRecord(z.enum(names as [string, ...string[]]), value), description);

export const extension = z
  .strictObject({
    version: part(
      text(rules.extensionVersion),
      "Version that the extension is held at. Without it Azure upgrades it by itself.",
      "1.24.1",
    ),
    releaseTrain: part(z.enum(["Stable", "Preview"]), "Default: Stable."),
    controllers: controllers(
      optionalControllers,
      z.boolean(),
      "Controllers that are on or off; the other four are always on.",
    ),
    resources: controllers(
      fluxControllers,
      z.strictObject({
        limits: amounts("What it may take at most."),
        requests: amounts("What is kept free for it."),
      }),
      "Sizes of controllers, by their names.",
    ),
    strictSubstitution: part(
      z.boolean(),
      "Whether a variable without a value is an error on the cluster, instead of an empty text.",
    ),
    workloadIdentity: part(
      z.strictObject({
        clientId: must(text(rules.guid), "The client id."),
        tenantId: must(text(rules.guid), "The tenant id."),
      }),
      "Signs the controllers in to Azure by this identity, without a secret.",
    ),
    settings: part(
      named(rules.extensionSetting, sourceText("a setting")),
      "Other settings by Azure's own names. Never a secret: they can be read in Azure.",
      { "helm-controller.detectDrift": "true" },
    ),
  })
  .meta({ id: "extension" });
