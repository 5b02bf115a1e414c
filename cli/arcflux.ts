#!/usr/bin/env node
import module from "node:module";
import { join } from "node:path";
import { cacheFolder } from "../values/cacheFolder.ts";

const oldest = [22, 18] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  console.error(
    `arcflux needs Node ${oldest.join(".")} or newer; this is ${process.versions.node}. Install Node 24.`,
  );
  process.exit(2);
}

// Compiled once, the command starts in half the time; node looks whether a file has changed since.
module.enableCompileCache(join(cacheFolder(process.env), "node"));
const { start } = await import("./start.ts");
await start();
