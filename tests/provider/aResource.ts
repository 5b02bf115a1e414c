import { afterEach, beforeEach } from "vitest";
import type { GitFilesPlugin } from "../../provider/plugin.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { pluginOn } from "./pluginOn.ts";

/** Of the test that runs: its workshop, a repository with a first commit, and a plugin process with what it warned of. */
export let shop: GitWorkshop;
export let url: string;
export let plugin: GitFilesPlugin;
export let warnings: string[];

/** Name of the one resource of a test. */
export const urn = "urn:pulumi:dev::edge::arcflux-git:index:GitFiles::edge-1";

/** Makes these anew for each test of the file that calls it. */
export function eachWithAResource(): void {
  beforeEach(async () => {
    shop = new GitWorkshop();
    url = await shop.repository({ "README.md": "read me\n" });
    warnings = [];
    plugin = pluginOn(shop, { warnings });
  });
  afterEach(() => shop.remove());
}
