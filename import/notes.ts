import { showNames } from "../values/show.ts";
import type { Matter, NotTaken } from "./notTaken.ts";

/** What there is to say of files that are alike, or, with no file, of the whole import. */
export interface Note {
  readonly files: readonly string[];
  /** What to say, the weightiest first. */
  readonly lines: readonly string[];
}

/** First what runs and the fleet file does not have, then what is to be decided, then what is good to know. */
const weights: Readonly<Record<Matter, number>> = { folder: 0, object: 0, part: 0, decide: 1, know: 2 };

/** One line a file, the weightiest first; files of which the same is to be said share one. What is of no file stands alone. */
export function notesOf(notTaken: readonly NotTaken[]): readonly Note[] {
  const byFile = new Map<string, NotTaken[]>();
  for (const [index, each] of notTaken.entries()) {
    const key = each.file || `no file ${index}`;
    byFile.set(key, [...(byFile.get(key) ?? []), each]);
  }
  const byText = new Map<string, { files: string[]; lines: string[]; weight: number }>();
  for (const entries of byFile.values()) {
    const [{ file }] = entries as [NotTaken];
    const sorted = [...entries].sort((one, other) => weights[one.matter] - weights[other.matter]);
    const lines = saidOnce(sorted);
    const text = lines.join("; ");
    const known = byText.get(text);
    if (known === undefined)
      byText.set(text, { files: file === "" ? [] : [file], lines, weight: weights[sorted[0]!.matter] });
    else if (file !== "") known.files.push(file);
  }
  return [...byText.values()]
    .sort((one, other) => one.weight - other.weight)
    .map(({ files, lines }) => ({ files, lines }));
}

/** What holds of several objects, or of several fields of one, is said once. */
function saidOnce(entries: readonly NotTaken[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { path, reason } of entries) {
    const known = byReason.get(reason) ?? [];
    if (!known.includes(path)) known.push(path);
    byReason.set(reason, known);
  }
  return [...byReason].map(([reason, paths]) => {
    const named = paths.filter((path) => path !== "");
    return named.length === 0 ? reason : `${showNames(withoutRepeats(named), 5)}: ${reason}`;
  });
}

/** `Kustomization a: spec.x`, `Kustomization a: spec.y` as `Kustomization a: spec.x`, `spec.y`. */
function withoutRepeats(paths: readonly string[]): string[] {
  let last = "";
  return paths.map((path) => {
    const colon = path.indexOf(": ");
    const object = colon < 0 ? "" : path.slice(0, colon + 2);
    const shown = object !== "" && object === last ? path.slice(object.length) : path;
    last = object;
    return shown;
  });
}

/** A note as one line, without line breaks whatever a file holds. */
export function lineOf({ files, lines }: Note): string {
  const place = files.length === 0 ? "" : `${showNames(files, 3)}: `;
  return `${place}${lines.join("; ")}`.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}
