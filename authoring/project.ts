import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { parseDocument } from "yaml";
import type { Platform } from "../fleet/model.ts";
import { withoutEntries } from "./editText.ts";

/** What a new project is asked about. */
export interface ProjectAnswers {
  /** Of the Pulumi project. */
  readonly name: string;
  readonly repository: string;
  readonly platform: Platform;
  readonly resourceGroup: string;
  readonly location: string;
  /** Whose pipelines are laid beside it. */
  readonly ci: CiHost | "none";
}

export const ciHosts = ["github", "gitlab", "azure-pipelines"] as const;
export type CiHost = (typeof ciHosts)[number];

/** A file of the project, by its path from there. */
export interface ProjectFile {
  readonly text: string;
  readonly isExecutable: boolean;
}

const templates = fileURLToPath(new URL("../templates", import.meta.url));

/** The folder that `pulumi new` takes too. */
const templateFolder = join(templates, "project");

/** All files of a new project. */
export function projectFiles(answers: ProjectAnswers): Map<string, ProjectFile> {
  const folders =
    answers.ci === "none"
      ? [templateFolder]
      : [templateFolder, join(templates, "ci", "shared"), join(templates, "ci", answers.ci)];
  const files = new Map(folders.flatMap(filesOf));
  return new Map(
    [...files].map(([path, file]) => [path, { ...file, text: filledIn(path, file.text, answers) }]),
  );
}

function filesOf(folder: string): (readonly [path: string, file: ProjectFile])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const isExecutable = (statSync(path).mode & 0o100) !== 0;
      // A package holds no .gitignore: npm takes it for its own.
      const target = relative(folder, path)
        .split(sep)
        .join("/")
        .replace(/^gitignore$/, ".gitignore");
      return [target, { text: readFileSync(path, "utf8"), isExecutable }] as const;
    });
}

function filledIn(path: string, text: string, answers: ProjectAnswers): string {
  if (path === "fleet.yaml") return fleetText(text, answers);
  if (path === "Pulumi.yaml") return named(withoutEntries(text, [["template"]]), answers);
  return path === "package.json" ? named(text, answers) : text;
}

const named = (text: string, { name }: ProjectAnswers): string =>
  text.replaceAll("${PROJECT}", name).replaceAll("${DESCRIPTION}", "Edge clusters under Flux GitOps");

function fleetText(text: string, { repository, platform, resourceGroup, location }: ProjectAnswers): string {
  const isArc = platform === "arc";
  const filled = [
    [["repository", "url"], repository],
    [["arc", "resourceGroup"], resourceGroup],
    [["arc", "location"], location],
  ] as const;
  const document = parseDocument(text);
  const places = filled.map(([path, value]) => {
    const [from = 0, to = 0] = (document.getIn(path, true) as { range?: [number, number] }).range ?? [];
    return { from, to, value: /^[\w:/.@-]+$/.test(value) ? value : JSON.stringify(value) };
  });
  const written = places.reduceRight(
    (all, { from, to, value }) => all.slice(0, from) + value + all.slice(to),
    text,
  );
  if (isArc) return written;
  const why = platform === "none" ? "nothing runs there that fetches" : "Flux runs there; there is no Azure";
  return withoutEntries(written, [["arc"]]).replace("\n\n\n", `\n\nplatform: ${platform} # ${why}\n\n`);
}

/** The manifest of a project that has one already: what is missing is added; a fault where what is there is in the way. */
export function mergedManifest(there: string, wanted: string): string | { readonly fault: string } {
  const [before, after] = [there, wanted].map((text) => JSON.parse(text) as Record<string, unknown>);
  if (before?.["type"] === "commonjs")
    return { fault: 'package.json says "type": "commonjs"; make it "module"' };
  const dependencies = {
    ...(after?.["dependencies"] as object),
    ...(before?.["dependencies"] as object | undefined),
  };
  const merged = { ...after, ...before, dependencies };
  return isDeepStrictEqual(merged, before) ? there : `${JSON.stringify(merged, null, 2)}\n`;
}

/** Whether the package is installed beside the project. */
export const isInstalled = (folder: string): boolean => existsSync(join(folder, "node_modules", "arcflux"));
