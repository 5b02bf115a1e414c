import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { fleetText } from "../fleet/fixture.ts";
import { arcflux, type Result, type Start } from "./process.ts";

/** Two clusters, three sets. */
export const twoClusters = `${fleetText({ cluster: "sets: { pos: {}, web: {} }" })}  edge-1: { agents: present, sets: { pos: {} } }\n`;

/** A folder for each test of a file, in which arcflux is run. */
export function workFolder(): {
  readonly path: () => string;
  /** Writes a file, with the folders above it. */
  readonly save: (text: string | Buffer, name?: string) => Promise<void>;
  readonly run: (args: string, start?: Start) => Promise<Result>;
} {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "arcflux-cli-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return {
    path: () => folder,
    async save(text, name = "fleet.yaml") {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    },
    run: (args, start) => arcflux(args.split(" ").filter(Boolean), folder, start),
  };
}
