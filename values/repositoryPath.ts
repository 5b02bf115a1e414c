/** Longest path that Linux opens. */
const longest = 4096;

/**
 * Checks a path inside the repository, as Flux and git will both read it. Returns what is wrong with it, or undefined.
 * Any spelling of a folder is taken: `apps/edge`, `./apps/edge/`, `apps//edge`.
 */
export function pathFault(path: string): string | undefined {
  if (path === "") return "is empty; write a folder from the root of the repository, such as ./apps/pos";
  // Before anything that looks at every part: what others write may be of any length.
  if (Buffer.byteLength(path) > longest) return `is longer than ${longest} bytes, which no system could open`;
  if (/\p{Cc}/u.test(path)) return "has a control character; a path is printable text";
  if (path.includes("\\")) return "has a backslash; write folders with /";
  if (path.startsWith("/"))
    return "is absolute; a path begins at the root of the repository, such as ./apps/pos";
  const parts = path.split("/");
  if (parts.includes(".."))
    return "has ..; a path is written from the root of the repository and stays inside it";
  if (parts.some(isDotGit)) return "has .git, or what some system takes for it, which git keeps to itself";
  if (parts.some((part) => part !== part.trim())) return "has a folder that begins or ends with a space";
  if (parts.some((part) => Buffer.byteLength(part) > 255))
    return "has a folder with a name of more than 255 bytes, which no disk could hold";
  return path.isWellFormed() ? undefined : "has half of a character; write it as Unicode";
}

/** What a file system may open as `.git`: any case, its short name, with dots, spaces or a stream after it, … */
function isDotGit(part: string): boolean {
  const name = part
    // Characters that HFS+ passes over.
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return name === ".git" || name === "git~1";
}

/** The one spelling of a path that generated files use: `./apps/edge`; the root is `./`. */
export function normalPath(path: string): string {
  return `./${folder(path)}`;
}

/** A path as git names it: `apps/edge`; the root is empty. */
export function folder(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}
