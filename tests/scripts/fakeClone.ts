import { createHash } from "node:crypto";
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { ChildProcess } from "node:child_process";
import { engineTool, engineVersion } from "../../build/engineVersion.mjs";

const repository = join(import.meta.dirname, "..", "..");

/** How one run of set-up ended. */
export interface Outcome {
  readonly code: number | null;
  readonly text: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly done: Promise<Outcome>;
}

/**
 * A clone with the real set-up in it, in a temp folder, and a PATH that holds only stubs of npm, go and
 * the like: each writes its arguments to a log. `dispose` ends what still runs and removes it all.
 */
export class FakeClone {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "arcflux-setup-")));
  readonly root = join(this.folder, "clone");
  readonly cache = join(this.folder, "cache");
  readonly bin = join(this.folder, "bin");
  readonly log = join(this.folder, "log");
  /** Where a stub that hangs notes its pid. */
  readonly marker = join(this.folder, "marker");
  private readonly children: ChildProcess[] = [];

  constructor() {
    mkdirSync(this.root);
    mkdirSync(this.bin);
    for (const part of ["setup.mjs", "setup", "engine"]) {
      cpSync(join(repository, "scripts", part), join(this.root, "scripts", part), { recursive: true });
    }
    for (const part of ["engine", "engineVersion.mjs"]) {
      cpSync(join(repository, "build", part), join(this.root, "build", part), { recursive: true });
    }
    this.placeBuilder();
    this.writePackage({ minimumNode: "18.0.0" });
    // Nobody listens on port 1: no official download, whatever network the machine has.
    this.pin({
      engine: {
        version: "3.900.1",
        minimum: "3.900.0",
        downloads: "http://127.0.0.1:1",
        freeMegabytesToBuild: 1,
      },
    });
    for (const tool of ["tar", "gzip"]) symlinkSync(which(tool), join(this.bin, tool));
    this.stub("npm", npmStub);
    this.stub("go", goStub(enginePrinting("v3.900.1")));
  }

  /** Puts something in the cache that passes for the builder of sets, as an earlier set-up would have. */
  private placeBuilder(): void {
    const version = engineVersion(join(this.root, "build", "engine"));
    const platform = `${process.platform}-${process.arch}`;
    const entry = join(this.cache, `${engineTool.name}-${version}-${platform}`);
    mkdirSync(entry, { recursive: true });
    writeFileSync(join(entry, engineTool.binary), "builder");
    const sum = createHash("sha256").update("builder").digest("hex");
    const files = { [engineTool.binary]: sum };
    const manifest = { tool: engineTool.name, version, platform, origin: "build", files };
    writeFileSync(join(entry, "manifest.json"), JSON.stringify(manifest));
  }

  /** Replaces what scripts/setup/pins.json pins, key by key. */
  pin(pins: object): void {
    const file = join(this.root, "scripts", "setup", "pins.json");
    const before = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...before, ...pins }));
  }

  writePackage({ minimumNode = "18.0.0", version = "1.0.0" }): void {
    writeFileSync(join(this.root, "package.json"), JSON.stringify({ engines: { node: `>=${minimumNode}` } }));
    const packages = { "": {}, "node_modules/dependency": { version, bin: { dep: "dep.js" } } };
    writeFileSync(join(this.root, "package-lock.json"), JSON.stringify({ packages }));
  }

  /** Puts a program into the stubs' folder: the body of a Node script that finds `args` and `log`. */
  stub(name: string, body: string): string {
    const text = `#!${process.execPath}
const fs = require("node:fs"), path = require("node:path");
const args = process.argv.slice(2);
fs.appendFileSync(${JSON.stringify(this.log)}, ${JSON.stringify(name)} + " " + args.join(" ") + "\\n");
${body}
`;
    writeFileSync(join(this.bin, name), text);
    chmodSync(join(this.bin, name), 0o755);
    return join(this.bin, name);
  }

  start(args: string[] = [], env: Record<string, string> = {}, root = this.root): Started {
    const child = spawn(process.execPath, [join(root, "scripts", "setup.mjs"), ...args], {
      cwd: "/",
      env: { PATH: this.bin, HOME: join(this.folder, "home"), ARCFLUX_CACHE_DIR: this.cache, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.children.push(child);
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const done = new Promise<Outcome>((resolve) => child.on("close", (code) => resolve({ code, text })));
    return { child, done };
  }

  run(args: string[] = [], env: Record<string, string> = {}): Promise<Outcome> {
    return this.start(args, env).done;
  }

  /** The stubs' calls so far whose line starts with `prefix`. */
  calls(prefix: string): string[] {
    if (!existsSync(this.log)) return [];
    return readFileSync(this.log, "utf8")
      .split("\n")
      .filter((line) => line.startsWith(prefix));
  }

  tools(): {
    node: { path: string; version: string };
    pulumi: { path: string; version: string; origin: string } | null;
    languageHost: string | null;
  } {
    return JSON.parse(
      readFileSync(join(this.root, "node_modules", ".arcflux", "tools.json"), "utf8"),
    ) as never;
  }

  /** Packs a fake npm package of Node that says `version`; returns its file and integrity. */
  packNode(version: string): { file: string; integrity: string } {
    const folder = join(this.folder, `package-${version}`);
    mkdirSync(join(folder, "package", "bin"), { recursive: true });
    const script = join(folder, "package", "bin", "node");
    // Says its version when asked for it, and is a real Node otherwise.
    writeFileSync(
      script,
      `#!/bin/sh\n[ "$1" = --version ] && echo v${version} && exit\nexec "${process.execPath}" "$@"\n`,
    );
    chmodSync(script, 0o755);
    const file = join(this.folder, `node-${version}.tgz`);
    execFileSync("tar", ["-czf", file, "-C", folder, "package"]);
    return { file, integrity: `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}` };
  }

  dispose(): void {
    for (const child of this.children) child.kill("SIGKILL");
    // A stub that hangs is in a process group of its own and outlives a killed set-up.
    const hung = existsSync(this.marker) ? Number(readFileSync(this.marker, "utf8")) : 0;
    if (hung > 0 && isRunning(hung)) process.kill(hung, "SIGKILL");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** The text of a program that says it is an engine of that version. */
export function enginePrinting(version: string): string {
  return `#!/bin/sh\necho ${version}\n`;
}

/** A go that builds the given text, after `before` (a piece of JavaScript that may wait). */
export function goStub(engine: string, before = ""): string {
  return `
if (args[0] === "env") { console.log(args[1] === "GOVERSION" ? "go1.99.0\\nlocal" : args[1] === "GOTOOLCHAIN" ? "local" : ""); process.exit(); }
${before}
const out = args[args.indexOf("-o") + 1];
fs.writeFileSync(out, ${JSON.stringify(engine)}, { mode: 0o755 });
`;
}

/** An npm that installs what the lock file says, and packs whatever file NODE_PACKAGE names. */
export const npmStub = `
if (args[0] === "ci") {
  fs.rmSync("node_modules", { recursive: true, force: true });
  const { packages } = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
  fs.mkdirSync("node_modules/.bin", { recursive: true });
  for (const [place, entry] of Object.entries(packages)) {
    if (place === "") continue;
    fs.mkdirSync(place, { recursive: true });
    fs.writeFileSync(place + "/package.json", JSON.stringify(entry));
    for (const name of Object.keys(entry.bin)) fs.writeFileSync("node_modules/.bin/" + name, "");
  }
  delete packages[""];
  fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages }));
} else if (args[0] === "pack") {
  const into = args[args.indexOf("--pack-destination") + 1];
  fs.copyFileSync(process.env.NODE_PACKAGE, path.join(into, "package.tgz"));
}
`;

/** A piece of JavaScript for a stub that notes its pid in `file` and then never ends. */
export function hang(file: string): string {
  return `fs.writeFileSync(${JSON.stringify(file)}, String(process.pid)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
}

/** Waits until something is so; the test's own time limit ends a wait in vain. */
export async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process that nobody has waited for yet is listed, but has ended.
  return !/\) Z /.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "");
}

function which(name: string): string {
  const found = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Error(`the tests need ${name} on PATH`);
  return found;
}
