import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** A path with every link on the way followed; of what is not there yet, those of the folders above it. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const whole = resolve(path);
    const above = dirname(whole);
    return above === whole ? whole : join(realPath(above), basename(whole));
  }
}
