import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PageData } from "./pageData.ts";

/** Parts of the page's program, each after what it uses. */
const parts = ["dom", "address", "filter", "grid", "graph", "cluster", "stages", "main"];

/** How the page is brought. */
export interface PageOptions {
  /** Seconds between two looks for newer data, where it is served; 0 for a file, which asks nobody. */
  readonly refresh?: number;
}

/**
 * The page as one file: style, program and data are in it, and nothing is fetched from anywhere. What runs is only what has
 * the hashes of the content security policy, so that no value of the fleet can become a program.
 */
export async function pageHtml(data: PageData, { refresh = 0 }: PageOptions = {}): Promise<string> {
  const [style, program] = await Promise.all([readPart("page.css"), programText()]);
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(program)}`,
    `connect-src ${refresh > 0 ? "'self'" : "'none'"}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en"${refresh > 0 ? ` data-refresh="${refresh}"` : ""}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Arcflux fleet</title>
<style>${style}</style>
</head>
<body>
<header id="head"></header>
<main id="main"><noscript>This page needs its program, which is in the file: allow scripts for it.</noscript></main>
<dialog id="cluster" aria-labelledby="cluster-name"></dialog>
<script type="application/json" id="data">${jsonInHtml(data)}</script>
<script>${program}</script>
</body>
</html>
`;
}

/** The modules of the page as one script: a file from disk can import none. */
async function programText(): Promise<string> {
  const texts = await Promise.all(parts.map((part) => readPart(`${part}.js`)));
  const joined = texts.map((text) =>
    text
      .replaceAll(/^import [^;]*;$/gm, "")
      .replaceAll(/^export /gm, "")
      .replaceAll(/^\/\/ @ts-check$/gm, ""),
  );
  return `(() => {\n"use strict";\n${joined.join("\n")}})();`;
}

function readPart(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, "client", name), "utf8");
}

/** JSON that no reader of HTML takes for the end of its element, or for anything else of HTML. */
function jsonInHtml(data: PageData): string {
  return JSON.stringify(data)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
