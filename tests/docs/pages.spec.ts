import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { codeOf, commandFaults } from "../support/commandLines.ts";

const root = join(import.meta.dirname, "../..");
const pages = ["README.md", "CONTRIBUTING.md", "docs/**/*.md", "examples/**/*.md", "lab/README.md"]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .sort();
const read = (page: string): string => readFileSync(join(root, page), "utf8");

/** As GitHub makes them of headings. */
function anchorsOf(page: string): string[] {
  const headings = page.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Links of a page to files of the clone: the file from the root, and the anchor. */
function linksOf(page: string): { readonly file: string; readonly anchor: string | undefined }[] {
  const text = read(page)
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : relative(root, resolve(root, dirname(page), path));
    return [{ file, anchor }];
  });
}

describe("the documents", () => {
  it("link to files and headings that are there", () => {
    const broken = pages.flatMap((page) =>
      linksOf(page).flatMap(({ file, anchor }) => {
        if (!existsSync(join(root, file))) return [`${page}: ${file}`];
        if (anchor === undefined || statSync(join(root, file)).isDirectory()) return [];
        return anchorsOf(read(file)).includes(anchor) ? [] : [`${page}: ${file}#${anchor}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it("are all found from the index", () => {
    const found = new Set<string>();
    const follow = (page: string): void => {
      if (found.has(page) || !page.endsWith(".md") || !existsSync(join(root, page))) return;
      found.add(page);
      for (const { file } of linksOf(page)) follow(file);
    };
    follow("docs/README.md");
    // Decisions are a folder that the index names.
    const guides = pages.filter((page) => page.startsWith("docs/") && !page.startsWith("docs/decisions/"));
    expect(guides.filter((page) => !found.has(page))).toEqual([]);
  });

  it("name commands and options that there are", () => {
    const faults = pages.flatMap((page) =>
      commandFaults(codeOf(read(page))).map((fault) => `${page}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});
