import { readFileSync } from "node:fs";
import type { Death } from "./guarded.ts";

/** How every process ends, as far as can be told, once the guard is gone. */
export const guardEnded = "its guard process ended";

/** A process of a cluster ended by itself. */
export class ProcessDeath extends Error {
  /** Whether it ended because another process had its port. */
  readonly portTaken: boolean;

  constructor(cluster: string, { plan, how }: Death) {
    const lines = lastLines(plan.log, 15);
    const said =
      lines.length === 0 ? `${plan.log} is empty.` : `The end of ${plan.log}:\n${lines.join("\n")}`;
    super(
      how === guardEnded
        ? `The guard process of the cluster ${cluster} was ended, so nothing looks after the cluster's programs any more. End the lab; the next start in its folder ends what is left.`
        : `${plan.name} of the cluster ${cluster} ended by itself (${how}). ${said}`,
    );
    this.name = "ProcessDeath";
    this.portTaken = lines.some((line) => /address already in use/i.test(line));
  }
}

/** The last lines of a file, each cut to a readable length; none when there is no such file. */
export function lastLines(file: string, count: number): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  const lines = text.trimEnd().split("\n").slice(-count);
  return lines.filter((line) => line !== "").map((line) => `  ${line.slice(0, 600)}`);
}
