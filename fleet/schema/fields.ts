import { z } from "zod";
import { show } from "../../values/show.ts";
import { inEditors } from "../values.ts";

/* Small words that the schema of the fleet file is written in. Every field carries its description for editors. */

/** An optional field; null takes an inherited value away. */
export const field = <T extends z.ZodType>(schema: T, description: string, ...examples: unknown[]) =>
  schema
    .nullable()
    .meta({ description, ...(examples.length > 0 && { examples }) })
    .optional();

/** An optional field of an object that is replaced as a whole, so that null has no meaning. */
export const part = <T extends z.ZodType>(schema: T, description: string, ...examples: unknown[]) =>
  schema.meta({ description, ...(examples.length > 0 && { examples }) }).optional();

/** A required field. */
export const must = <T extends z.ZodType>(schema: T, description: string, ...examples: unknown[]) =>
  schema.meta({ description, ...(examples.length > 0 && { examples }) });

/** Text of at least one character. */
export const word = () =>
  z.string().min(1, {
    error: "is empty; write a text",
  });

/** A Secret or another object of the namespace flux-system, by its name. */
export const reference = (description: string) =>
  part(z.strictObject({ name: must(word(), "Its name, in the namespace flux-system.") }), description);

interface SourceTextForm {
  readonly least?: number;
  readonly pattern?: RegExp;
  readonly allowed?: string;
  /** Says what is wrong with a text; undefined when nothing is. */
  readonly fault?: (text: string) => string | undefined;
}

/** Text whose source may look like a number or a boolean: it is taken as it stands in the file. */
export const sourceText = (
  what: string,
  { least = 0, pattern, allowed = "", fault }: SourceTextForm = {},
) => {
  const text = z.string({
    error: ({ input }) =>
      `${show(input)} is not allowed; ${what} is text, a number or true or false${least > 0 ? "" : ', "" when empty'}`,
  });
  const formed = pattern
    ? text.regex(pattern, { error: ({ input }) => `${show(input)} is not allowed; ${allowed}` })
    : text.min(least, { error: `is empty; write ${what}` });
  const checked =
    fault === undefined
      ? formed
      : formed.superRefine((value, context) => {
          const message = value.length < least ? undefined : fault(value);
          if (message !== undefined)
            context.addIssue({ code: "custom", message: `${show(value)} ${message}` });
        });
  const inEditors = pattern && { patternErrorMessage: allowed };
  return checked.meta({ type: ["string", "number", "boolean"], ...inEditors });
};

/** Percent, such as `95%`. */
export const share = z
  .string()
  .regex(/^(100|[0-9]{1,2})(\.[0-9]+)?%$/, {
    error: ({ input }) => `${show(input)} is not a share; write a percentage such as 95%`,
  })
  .meta(inEditors({ allowed: "write a percentage such as 95%" }));
