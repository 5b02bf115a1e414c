import { type Selection, SelectionError } from "./select.ts";

const key = "arcflux:clusters";
const forms =
  "write names as edge-1,edge-2 or labels, each once, as stage=prod,ring=canary; !edge-1, !ring=canary or !ring leaves some out";

/**
 * Reads stack config `arcflux:clusters`: names or labels with commas between them, or the JSON that
 * `pulumi config set --path` makes, a list of either or a map of labels; `!` before one leaves it out. Throws a SelectionError
 * for anything else.
 */
export function parseSelection(text: string): Selection {
  const value: unknown = /^\s*[[{]/.test(text) ? parseJson(text) : text.split(",").map((part) => part.trim());
  const selection = Array.isArray(value) ? selectionOf(value) : labelsOf(value);
  if (selection === undefined) throw new SelectionError(`Stack config ${key} is '${text}'; ${forms}.`);
  return selection;
}

function selectionOf(parts: readonly unknown[]): Selection | undefined {
  const names: string[] = [];
  const labels: [string, string][] = [];
  const without: string[] = [];
  const withoutLabels: [string, string][] = [];
  for (const part of parts) {
    const [, not, name, value] = (typeof part === "string" && /^(!?)([^=!]+)(?:=([^=]*))?$/.exec(part)) || [];
    if (name === undefined) return undefined;
    if (value === undefined) (not ? without : names).push(name);
    else (not ? withoutLabels : labels).push([name, value]);
  }
  // A label asked for twice could only match nothing, or be meant as "either", which is not offered.
  const isUnique = new Set(labels.map(([label]) => label)).size === labels.length;
  if (parts.length === 0 || !isUnique || (names.length > 0 && labels.length > 0)) return undefined;
  return {
    ...(names.length > 0 && { names }),
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
    ...(without.length > 0 && { without }),
    ...(withoutLabels.length > 0 && { withoutLabels }),
  };
}

function labelsOf(value: unknown): Selection | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const labels = Object.entries(value);
  if (labels.length === 0 || labels.some(([, label]) => typeof label !== "string")) return undefined;
  return { labels: Object.fromEntries(labels) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SelectionError(`Stack config ${key} is '${text}', which is not JSON; ${forms}.`);
  }
}
