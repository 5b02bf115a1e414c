import type { Fleet } from "../fleet/model.ts";
import { SelectionError } from "../fleet/select.ts";
import { showSome } from "../values/show.ts";

/** A name that Pulumi takes. */
const takes = /^[A-Za-z0-9_.-]{1,100}$/;

/**
 * Config files for a stack per value of a label, or per cluster (`cluster`): by name of the stack, what `arcflux:clusters`
 * says. Throws SelectionError where a cluster lacks the label, or a value is no name of a stack.
 */
export function stackPerLabel({ clusters }: Fleet, label: string): ReadonlyMap<string, string> {
  const valueOf = ({ name, labels, stage }: Fleet["clusters"][number]): string | undefined =>
    label === "cluster" ? name : label === "stage" ? stage : labels[label];
  const without = clusters.filter((cluster) => valueOf(cluster) === undefined);
  if (without.length > 0)
    throw new SelectionError(
      `${showSome(without.map(({ name }) => name))} ${without.length > 1 ? "have" : "has"} no label ${label}, and would be in no stack. Give each one.`,
    );
  const values = [...new Set(clusters.flatMap((cluster) => valueOf(cluster) ?? []))];
  const wrong = values.filter((value) => !takes.test(value));
  if (wrong.length > 0)
    throw new SelectionError(
      `${showSome(wrong)} cannot be the name of a stack: letters, digits, _ . - and at most 100. Use another label.`,
    );
  return new Map(values.map((value) => [value, label === "cluster" ? value : `${label}=${value}`]));
}
