/** Patterns of one `.sourceignore`, or of `spec.ignore` at the root (`""`). */
export interface IgnoreFile {
  readonly folder: string;
  readonly text: string;
}

interface Pattern {
  /** Names of the folder that it counts in. */
  readonly domain: readonly string[];
  readonly parts: readonly string[];
  readonly isInclusion: boolean;
  readonly folderOnly: boolean;
}

/** What source-controller leaves out, by path from the root of the repository. */
export interface Ignores {
  leavesOut(path: string, isFolder: boolean): boolean;
  /** Whether something below a folder that is left out may be in after all. */
  mayTakeBack(folder: string): boolean;
}

/** What source-controller leaves out of what it fetches, whatever anybody writes. */
const versionControl = ".git/\n.gitignore\n.gitmodules\n.gitattributes";

/** What it leaves out where nobody writes patterns. */
const defaults = [
  ...["*.jpg", "*.jpeg", "*.gif", "*.png", "*.wmv", "*.flv", "*.tar.gz", "*.zip"],
  ...[".github/", ".circleci/", ".travis.yml", ".gitlab-ci.yml", "appveyor.yml", ".drone.yml"],
  ...["cloudbuild.yaml", "codeship-services.yml", "codeship-steps.yml"],
  ...["**/.goreleaser.yml", "**/.sops.yaml", "**/.flux.yaml"],
].join("\n");

/** The files come in the order in which they count: the last pattern that matches decides. */
export function ignores(files: readonly IgnoreFile[]): Ignores {
  const written = files.flatMap(patterns);
  const all = [
    ...patterns({ folder: "", text: versionControl }),
    ...(written.length > 0 ? written : patterns({ folder: "", text: defaults })),
  ].reverse();
  return {
    leavesOut(path, isFolder) {
      const names = path.split("/");
      const decides = all.find((pattern) => matches(pattern, names, isFolder));
      return decides !== undefined && !decides.isInclusion;
    },
    mayTakeBack(folder) {
      const names = folder.split("/");
      return all.some((pattern) => pattern.isInclusion && mayMatchBelow(pattern, names));
    },
  };
}

/** Whether a pattern may match something below a folder: it does so at any depth, or names the way there. */
function mayMatchBelow({ domain, parts }: Pattern, names: readonly string[]): boolean {
  const way = [...domain, ...parts.filter((part) => part !== "")];
  if (parts.length === 1) return true;
  const stop = way.indexOf("**");
  const fixed = stop < 0 ? way : way.slice(0, stop);
  return names.every((name, index) => fixed[index] === undefined || matchesGlob(fixed[index], name));
}

function patterns({ folder, text }: IgnoreFile): Pattern[] {
  return text
    .split(/\r?\n/)
    .filter((line) => !line.startsWith("#") && line.trim() !== "")
    .map((line) => {
      const isInclusion = line.startsWith("!");
      let rest = isInclusion ? line.slice(1) : line;
      if (!rest.endsWith("\\ ")) rest = rest.replace(/ +$/, "");
      const folderOnly = rest.endsWith("/");
      if (folderOnly) rest = rest.slice(0, -1);
      return {
        domain: folder === "" ? [] : folder.split("/"),
        parts: rest.split("/"),
        isInclusion,
        folderOnly,
      };
    });
}

function matches(
  { domain, parts, folderOnly }: Pattern,
  names: readonly string[],
  isFolder: boolean,
): boolean {
  if (names.length <= domain.length || domain.some((name, index) => names[index] !== name)) return false;
  const rest = names.slice(domain.length);
  return parts.length > 1
    ? matchesPath(parts, rest, folderOnly, isFolder)
    : matchesName(parts[0]!, rest, folderOnly, isFolder);
}

/** A pattern without a slash counts for any name on the way. */
function matchesName(
  pattern: string,
  names: readonly string[],
  folderOnly: boolean,
  isFolder: boolean,
): boolean {
  const at = names.findIndex((name) => matchesGlob(pattern, name));
  return at >= 0 && !(folderOnly && !isFolder && at === names.length - 1);
}

/** One with a slash counts from its folder on, and for all that lies below what it matches. */
function matchesPath(
  parts: readonly string[],
  names: readonly string[],
  folderOnly: boolean,
  isFolder: boolean,
): boolean {
  let at = 0;
  let matched = false;
  let anyDepth = false;
  for (const [index, part] of parts.entries()) {
    if (part === "") {
      anyDepth = false;
      continue;
    }
    if (part === "**") {
      if (index === parts.length - 1) break;
      anyDepth = true;
      continue;
    }
    if (part.includes("**") || at >= names.length) return false;
    if (anyDepth) {
      anyDepth = false;
      const found = names.findIndex((name, place) => place >= at && matchesGlob(part, name));
      matched = found >= 0;
      at = matched ? found + 1 : names.length;
    } else {
      if (!matchesGlob(part, names[at]!)) return false;
      matched = true;
      at += 1;
    }
  }
  return matched && !(folderOnly && !isFolder && at === names.length);
}

const expressions = new Map<string, RegExp | undefined>();

/** Go's filepath.Match of one name. A pattern that is not one matches nothing. */
function matchesGlob(pattern: string, name: string): boolean {
  if (!expressions.has(pattern)) expressions.set(pattern, expressionOf(pattern));
  return expressions.get(pattern)?.test(name) ?? false;
}

function expressionOf(pattern: string): RegExp | undefined {
  const tokens = /\*+|\?|\[(\^?)((?:\\.|[^\]\\])+)\]|\\(.)|([^*?[\\])/gsuy;
  let source = "";
  let end = 0;
  for (const [token, not, set, escaped, plain] of pattern.matchAll(tokens)) {
    end += token.length;
    const literal = escaped ?? plain;
    if (literal !== undefined) source += literal.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    else if (set !== undefined) source += `[${not}${set.replace(/\[/g, "\\[")}]`;
    else source += token === "?" ? "[^/]" : "[^/]*";
  }
  if (end !== pattern.length) return undefined;
  try {
    return new RegExp(`^${source}$`, "su");
  } catch {
    return undefined;
  }
}
