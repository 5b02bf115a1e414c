import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256Of } from "./cache.mjs";
import { unpack } from "./node.mjs";
import { run } from "./run.mjs";

const fetchFile = join(dirname(fileURLToPath(import.meta.url)), "fetchFile.mjs");

/** The programs of the archive that a Node program needs: the engine, its language host and plugin shims. */
const wanted = /^pulumi(-language-nodejs|-resource-pulumi-nodejs|-analyzer-policy)?(\.exe|\.cmd)?$/;

/**
 * Fills `entry` with Pulumi's own release, checked against the checksums published with it. Returns
 * undefined, and says so in a line, when it cannot be had: no network, or no such file there.
 */
export async function downloadEngine(ctx, entry, temp, lock) {
  const { version, downloads } = ctx.pins.engine;
  const system = process.platform === "win32" ? "windows" : process.platform;
  const archive = `pulumi-v${version}-${system}-${process.arch}.${system === "windows" ? "zip" : "tar.gz"}`;
  const sums = join(temp, "checksums.txt");
  const get = (name, file, seconds) =>
    // Runs in the chosen Node, which knows HTTPS_PROXY and NO_PROXY when told to.
    run(ctx.node.path, [fetchFile, `${downloads}/${name}`, file, String(seconds)], {
      env: { ...process.env, NODE_USE_ENV_PROXY: "1" },
      lock,
    });
  const instead = (why) => {
    ctx.report.line(`no official engine from ${new URL(downloads).host}: ${why}`);
    return undefined;
  };

  const list = await get(`pulumi-${version}-checksums.txt`, sums, 5);
  if (list.code !== 0) return instead(list.output.trim());
  const published = readFileSync(sums, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+\*?/))
    .find(([, name]) => name === archive)?.[0];
  if (!/^[0-9a-f]{64}$/i.test(published ?? "")) return instead(`its checksums do not list ${archive}`);

  return ctx.report.step(`Pulumi engine ${version}, official download`, async () => {
    const file = join(temp, archive);
    const download = await get(archive, file, 20);
    if (download.code !== 0) return instead(download.output.trim());
    const sum = await sha256Of(file);
    if (sum !== published.toLowerCase()) {
      return instead(`${archive} has sha256 ${sum}, published is ${published}; it was not unpacked`);
    }
    const unpacked = join(temp, "unpacked");
    mkdirSync(unpacked);
    await unpack(file, unpacked, [], lock);
    // The archive holds pulumi/, on Windows pulumi/bin/.
    const folder = [join(unpacked, "pulumi", "bin"), join(unpacked, "pulumi")].find(existsSync);
    const files = folder === undefined ? [] : readdirSync(folder).filter((name) => wanted.test(name));
    if (!files.some((name) => /^pulumi(\.exe)?$/.test(name))) return instead(`${archive} holds no engine`);
    for (const name of files) copyFileSync(join(folder, name), join(entry, name));
    return { origin: "download", files };
  });
}
