import { showSome } from "../values/show.ts";
import type { Finding } from "./finding.ts";

/** The name of an entry in a path of a finding: `.pos`, or what is no plain word, `["a.b"]`. */
const name = String.raw`(?:\.[\w-]+|\[[^\]]*\])`;
const place = new RegExp(`^(clusters|sets)(${name})(?:\\.sets(${name}))?(.*)$`, "s");

/** Up to so many alike are said one by one, so that an editor shows each where it stands. */
const fewest = 4;

/**
 * Findings of which each is said once: what holds alike for many clusters or sets becomes the first of them, with names
 * and a count, such as `… (store-001, store-002, store-003 and 37 more)`.
 */
export function saidOnce(findings: readonly Finding[]): Finding[] {
  const alike = new Map<string, { finding: Finding; name: string }[]>();
  const keys = findings.map((finding) => {
    const [, section, entry, set, rest] = place.exec(finding.path) ?? [];
    if (section === undefined || entry === undefined) return undefined;
    const key = JSON.stringify([finding.severity, section, set === undefined, rest, finding.message]);
    const name = [entry, set].flatMap((part) => (part === undefined ? [] : bare(part))).join("/");
    const known = alike.get(key);
    if (known) known.push({ finding, name });
    else alike.set(key, [{ finding, name }]);
    return key;
  });
  return findings.flatMap((finding, index) => {
    const key = keys[index];
    const group = key === undefined ? [] : alike.get(key)!;
    if (group.length < fewest) return finding;
    if (group[0]!.finding !== finding) return [];
    const names = new Set(group.map(({ name }) => name));
    return { ...finding, message: `${finding.message} (${showSome(names)})` };
  });
}

function bare(part: string): string {
  return part.startsWith(".") ? part.slice(1) : part;
}
