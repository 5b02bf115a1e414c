import {
  namesOf,
  summary,
  type ClusterChanges,
  type FieldChange,
  type ObjectChange,
} from "../checks/applied/index.ts";
import { show } from "../values/show.ts";

const signs = { created: "+", changed: "~", deleted: "-", leaves: "=" } as const;
const words = { created: "created", changed: "changed", deleted: "deleted", leaves: "left behind" } as const;

/** Lines for a terminal: clusters that change alike together, Flux's objects before all others. */
export function diffText(changes: readonly ClusterChanges[]): string {
  if (changes.length === 0) return "Nothing changes on any cluster.\n";
  const lines = summary(changes).flatMap((line, index) => [line, ...objectLines(changes[index]!)]);
  return `${lines.join("\n")}\n`;
}

/** A line for each object, with its fields below it. */
export function objectLines({ objects, unbuilt }: ClusterChanges): string[] {
  return [
    ...objects.flatMap((each) => [
      `  ${signs[each.what]} ${nameOf(each)} (set ${each.set}, ${each.file})${each.restarts ? ", restarts" : ""}`,
      ...each.fields.map((field) => `      ${fieldText(field)}`),
    ]),
    ...unbuilt.map(({ set, message }) => `  ? set ${set}: ${message}`),
  ];
}

/** A comment for a pull request. */
export function diffMarkdown(changes: readonly ClusterChanges[]): string {
  if (changes.length === 0) return "Nothing changes on any cluster.\n";
  const parts = changes.map(({ clusters, objects, unbuilt }, index) => {
    const rows = objects.map((each) => {
      const fields = each.fields.map((field) => `\`${cell(fieldText(field))}\``).join("<br>");
      const what = `${words[each.what]}${each.restarts ? ", restarts" : ""}`;
      return `| ${what} | ${cell(nameOf(each))} | ${cell(each.set)} | ${fields} |`;
    });
    return [
      `### ${cell(namesOf(clusters))}`,
      "",
      cell(summary(changes)[index]!),
      "",
      ...(rows.length > 0
        ? ["| what | object | set | fields |", "| --- | --- | --- | --- |", ...rows, ""]
        : []),
      ...unbuilt.map(({ set, message }) => `- set ${cell(set)}: ${cell(message)}`),
    ].join("\n");
  });
  return `${parts.join("\n")}\n`;
}

function nameOf({ kind, namespace, name }: ObjectChange): string {
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}

function fieldText({ field, from, to }: FieldChange): string {
  return `${field}: ${from === undefined ? "(none)" : show(from)} -> ${to === undefined ? "(none)" : show(to)}`;
}

/** Names and values come from manifests; a table and a line of text must stay what they are. */
function cell(text: string): string {
  return text.replace(/[\r\n]+/g, " ").replace(/[|<`]/g, (sign) => (sign === "`" ? "'" : `\\${sign}`));
}
