import { showNames } from "../values/show.ts";
import { StageError } from "./stageError.ts";

/** Whether a path is what git has: of bytes that are not UTF-8 the text tells too little to find or write them. */
export function isExact(path: string): boolean {
  return !path.includes("\uFFFD");
}

/** Written one by one, such a file would get another name. Throws StageError. */
export function refuseInexact(paths: readonly string[], instead: string): void {
  const found = paths.filter((path) => !isExact(path));
  if (found.length > 0)
    throw new StageError(
      `The name of ${showNames(found, 3)} is not UTF-8, so it would be written under another one. ${instead}`,
    );
}
