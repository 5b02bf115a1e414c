import { InvalidArgumentError, Option } from "commander";
import { judgementList } from "../judge/index.ts";
import { nearest } from "../values/nearest.ts";

/** Each use adds one more. Names are those that stand in brackets behind a finding. */
export const ignoreOption = (): Option =>
  new Option(
    "--ignore <name>",
    "leave out the warnings of this judgement; may be given several times",
  ).argParser((name: string, names: readonly string[] = []) => {
    const known = judgementList.map((judgement) => judgement.name);
    if (known.includes(name)) return [...names, name];
    const near = nearest(name, known, 3);
    const next = near === undefined ? `Names are ${known.join(", ")}.` : `Did you mean ${near}?`;
    throw new InvalidArgumentError(`There is no such judgement. ${next}`);
  });
