import type { FluxMinor } from "../../values/fluxVersions.ts";
import type { Check } from "./compile.ts";
import { gateMessage } from "./gate.ts";
import { received } from "./received.ts";
import type { SpecSchema } from "./schema.ts";
import { minorsOf, type Place } from "./since.ts";
import { choice, patternWording } from "./wording.ts";

/** The check of a text: its choices, pattern and length. Reports all that is wrong with it. */
export function textCheck(schema: SpecSchema, place: Place, minor: FluxMinor): Check {
  const { enum: allowed, pattern, minLength = 0, maxLength = Infinity } = schema;
  const choices = allowed && new Set(allowed);
  const elsewhere = minorsOf(place, (other) => other.enum ?? []);
  const matches = pattern === undefined ? undefined : re2(pattern);
  return (text, way, report) => {
    const value = text as string;
    if (choices && !choices.has(value)) {
      const gate = gateMessage(elsewhere.get(value), place, minor);
      const message = gate ?? `is not allowed; write ${choice(allowed)}`;
      report(way, `${received(value, way)} ${message}`);
    }
    if (matches && !matches.test(value)) {
      report(way, `${received(value, way)} is not allowed; write ${patternWording(pattern!)}`);
    }
    // A text has at most as many code points as UTF-16 units, so most need no counting.
    if (value.length < minLength * 2 && length(value) < minLength) {
      report(
        way,
        value === "" ? "is empty; write a text, or leave the field out" : tooShort(value, minLength),
      );
    }
    if (value.length > maxLength && length(value) > maxLength) {
      report(way, `has ${length(value)} characters; write at most ${maxLength}`);
    }
  };
}

function tooShort(value: string, minLength: number): string {
  return `has ${length(value)} characters; write at least ${minLength}`;
}

/** Kubernetes counts code points. */
function length(text: string): number {
  return [...text].length;
}

/** A pattern in the syntax of RE2, where `.` is any character but a line feed; JavaScript's leaves out three more. */
export function re2(pattern: string): RegExp {
  const source = pattern.replace(/\\.|\[(?:\\.|[^\]])*\]|\./g, (part) => (part === "." ? "[^\\n]" : part));
  return new RegExp(source, "u");
}
