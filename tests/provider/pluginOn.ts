import { GitFilesPlugin } from "../../provider/plugin.ts";
import type { GitWorkshop } from "../support/gitWorkshop.ts";

/**
 * A plugin process in a workshop. `machine` names the one it runs on: machines share nothing but the repository. Its
 * warnings go to the list that is handed in.
 */
export function pluginOn(
  shop: GitWorkshop,
  {
    machine = "one",
    version = "1.0.0",
    warnings = [],
  }: { readonly machine?: string; readonly version?: string; readonly warnings?: string[] } = {},
): GitFilesPlugin {
  const context = { env: shop.env, tempRoot: shop.tempRoot, cacheRoot: `${shop.folder}/${machine}` };
  return new GitFilesPlugin(version, context, (_urn, message) => {
    warnings.push(message);
    return Promise.resolve();
  });
}
