import type { Finding, Path } from "./finding.ts";
import { nearest } from "../values/nearest.ts";
import { includableKeys } from "./schema.ts";
import { show } from "../values/show.ts";
import type { Source } from "./source.ts";

/** The file that an entry of a section stands in, and its index there where the section is a list. */
export interface Owner {
  readonly source: Source;
  readonly index?: number;
}

type Plain = Record<string, unknown>;

/**
 * `all` with the sections of one included file added: maps entry by entry, lists at the end. `owners` learns where each
 * entry stands, by `section/name` or `section/index`.
 */
export function joinSections(
  all: unknown,
  source: Source,
  main: Source,
  owners: Map<string, Owner>,
  findings: Finding[],
): unknown {
  const fault = (path: Path, message: string, at?: "key") =>
    findings.push(source.finding("error", path, message, at));
  if (!isMap(source.data)) {
    fault([], `${show(source.data)} is not allowed; write a map with some of ${includableKeys.join(", ")}`);
    return all;
  }
  const result = { ...(all as Plain) };
  for (const [section, entries] of Object.entries(source.data)) {
    const isList = section === "removed";
    if (section === "apiVersion") {
      if (entries !== "arcflux/v1") fault([section], "is not arcflux/v1, the version of the fleet file");
    } else if (section === "include") {
      fault([section], "is in an included file; write the pattern into the fleet file itself", "key");
    } else if (!(includableKeys as readonly string[]).includes(section)) {
      const near = nearest(section, includableKeys);
      fault(
        [section],
        `unknown key in an included file; the nearest known key is ${near}; allowed here: ${includableKeys.join(", ")}`,
        "key",
      );
    } else if (entries !== null && !(isList ? Array.isArray(entries) : isMap(entries))) {
      fault([section], `${show(entries)} is not allowed; write a ${isList ? "list" : "map"}`);
    } else if (isList) {
      if (result[section] == null || Array.isArray(result[section]))
        result[section] = longer(result[section], entries, section);
    } else if (result[section] == null || isMap(result[section])) {
      result[section] = larger(result[section], entries, section);
    }
  }
  return result;

  function longer(known: unknown, entries: unknown, section: string): unknown[] {
    const list = [...((known ?? []) as unknown[])];
    for (const [index, entry] of ((entries ?? []) as unknown[]).entries()) {
      owners.set(`${section}/${list.length}`, { source, index });
      list.push(entry);
    }
    return list;
  }

  function larger(before: unknown, entries: unknown, section: string): Plain {
    const known: Plain = { ...(before as Plain) };
    for (const [name, entry] of Object.entries(entries ?? {})) {
      const key = `${section}/${name}`;
      if (Object.hasOwn(known, name)) {
        const there = (owners.get(key)?.source ?? main).position([section, name], "key");
        fault(
          [section, name],
          `is in ${there.file}:${there.line}:${there.column} already; keep one of them`,
          "key",
        );
      } else {
        known[name] = entry;
        owners.set(key, { source });
      }
    }
    return known;
  }
}

export function isMap(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
