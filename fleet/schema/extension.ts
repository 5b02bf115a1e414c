import { z } from "zod";
import { show } from "../../values/show.ts";
import { rules } from "../rules.ts";
import { named } from "../values.ts";
import { part, sourceText } from "./fields.ts";

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

const quantity = (what: string, example: string) =>
  part(
    z.string().regex(/^\d+(\.\d+)?(m|[kKMGT]i?)?$/, {
      error: ({ input }) => `${show(input)} is not a quantity; write one such as ${example}`,
    }),
    `${what}, such as ${example}.`,
  );

const amounts = (what: string) =>
  part(z.strictObject({ cpu: quantity("CPU", "500m"), memory: quantity("Memory", "512Mi") }), what);

const guid = (what: string) =>
  part(
    z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, {
      error: ({ input }) => `${show(input)} is not a GUID; write the ${what}`,
    }),
    `The ${what}.`,
  );

const controllers = <T extends z.ZodType>(names: readonly string[], value: T, description: string) =>
  part(z.partialRecord(z.enum(names as [string, ...string[]]), value), description);

export const extension = z
  .strictObject({
    version: part(
      z.string().regex(/^\d+\.\d+\.\d+$/, {
        error: ({ input }) => `${show(input)} is not a version; write one such as 1.24.1`,
      }),
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
      z.strictObject({ clientId: guid("client id"), tenantId: guid("tenant id") }),
      "Signs the controllers in to Azure by this identity, without a secret.",
    ),
    settings: part(
      named(rules.extensionSetting, sourceText("a setting")),
      "Other settings by Azure's own names. Never a secret: they can be read in Azure.",
      { "helm-controller.detectDrift": "true" },
    ),
  })
  .meta({ id: "extension" });

export type ExtensionEntry = z.output<typeof extension>;
