import { expect, it } from "vitest";
import fc from "fast-check";
import { loadFleet } from "../../fleet/load.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { composeMessage } from "../../git/words/message.ts";
import {
  checkBranch,
  checkDirectory,
  checkFiles,
  checkIdentity,
  checkMessage,
  checkUrl,
} from "../../git/words/rules.ts";

/* What a fleet file may say, git/ takes too: else an update would fail half-way for what the check let pass. */

const load = (parts: object) =>
  loadFleet(
    JSON.stringify({
      apiVersion: "arcflux/v1",
      repository: { url: "https://git.example.com/edge/fleet.git" },
      platform: "kubernetes",
      clusters: { "edge-0": { sets: { pos: {} } } },
      ...parts,
    }),
    "fleet.yaml",
  ).fleet;

const pieces = (...texts: string[]) =>
  fc
    .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...texts) }, fc.string({ maxLength: 2 })), {
      minLength: 1,
      maxLength: 7,
    })
    .map((parts) => parts.join(""));

const urls = fc
  .tuple(
    fc.constantFrom(
      "https://",
      "HTTPS://",
      "http://",
      "ssh://",
      "Ssh://",
      "file:///",
      "file://",
      "/",
      "",
      "git@",
    ),
    fc.constantFrom("h", "127.0.0.1", "h:80", "git@h", "[::1]", "-h", "-o@h", "h_x", "h:x", "ext:", "~u@h"),
    fc.constantFrom("/", "", ":", "//", "/x"),
    pieces("x", "/", ":", "@", "-", "~", "%0a", "%7F", "%20", "?", "#", ".git", "ä"),
  )
  .map((parts) => parts.join(""));

it("any repository URL that loads, with a token where access says so", () => {
  let taken = 0;
  fc.assert(
    fc.property(urls, fc.constantFrom("public", "token", "ssh"), (url, access) => {
      if (load({ repository: { url, access } }) === undefined) return;
      taken += 1;
      expect(checkUrl(url, { token: access === "token" }), url).toEqual([]);
    }),
    { numRuns: 1500 },
  );
  expect(taken).toBeGreaterThan(20);
});

it.each([
  "HTTPS://git.example.com/x",
  "File:///srv/x",
  "ext::sh",
  "git@h:-x",
  "https://h/%0ax",
  "https://h:80/a:b@c",
  "ssh://-x@h/y",
  "-x@h:y",
  "ssh://a;b@h/y",
  "ssh://h//",
  "file:////srv/x",
])("no URL such as %s", (url) => {
  for (const access of ["public", "ssh"]) expect(load({ repository: { url, access } })).toBeUndefined();
});

it("any message of commits that loads, and its placeholders are those that are filled in", () => {
  const parts = [
    "{cluster}",
    "{stage}",
    "{Stage}",
    "{",
    "}",
    "Update ",
    "\n",
    "\n\n",
    "\t",
    "Arcflux-",
    "x: ",
    "ä",
  ];
  let taken = 0;
  fc.assert(
    fc.property(pieces(...parts), (message) => {
      if (load({ repository: { url: "https://h/x", commit: { message } } }) === undefined) return;
      taken += 1;
      expect(checkMessage(message)).toEqual([]);
      const source = { message, branch: "main", directory: "clusters/a", files: { a: "" }, owned: {} };
      expect(composeMessage([{ source, changes: [{ path: "flux/a.yaml", kind: "+" }] }])).toMatch(
        /^[^\n]*\S/,
      );
    }),
    { numRuns: 1000 },
  );
  expect(taken).toBeGreaterThan(50);
});

it("any branch that loads", () => {
  fc.assert(
    fc.property(pieces("a", "/", ".", "-", "+", "@", "{", ".lock", "HEAD", "refs/", "ä", " "), (branch) => {
      const url = "https://git.example.com/x";
      if (load({ repository: { url, branch } }) !== undefined) expect(checkBranch(branch)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it("any author that loads", () => {
  fc.assert(
    fc.property(pieces("a", ".", " ", "<", "@", '"', "ä"), pieces("a", ".", "@", '"', ","), (name, email) => {
      const commit = { name, email };
      const url = "https://git.example.com/x";
      if (load({ repository: { url, commit } }) !== undefined) expect(checkIdentity(commit)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

const folders = pieces(
  ".git",
  "git~1",
  ".",
  "/",
  " ",
  "\u200c",
  ":",
  "a",
  "{cluster}",
  "{x}",
  "~1",
  ".{x}",
  "GIT~{n}",
);
const attribute = fc.constantFrom("git", "Git", "1", "a", "git.a");

it("any folder that loads, with the files that go there", () => {
  let taken = 0;
  const names = fc.constantFrom("pos", "a.b", "0");
  const layouts = fc.record({ cluster: folders, flux: fc.oneof(fc.constant("flux"), folders) });
  fc.assert(
    fc.property(layouts, attribute, attribute, names, (layout, x, n, name) => {
      const fleet = load({
        layout,
        clusters: { "edge-0": { attributes: { x, n }, sets: { [name]: {} }, apps: { git: {} } } },
      });
      if (fleet === undefined) return;
      taken += 1;
      const cluster = fleet.clusters[0]!;
      const files = renderClusterFolder(cluster, fleet);
      expect(checkDirectory(cluster.folder)).toEqual([]);
      expect(checkFiles(files)).toEqual([]);
    }),
    { numRuns: 1500 },
  );
  expect(taken).toBeGreaterThan(20);
});

it.each([
  ".git./{cluster}",
  "git~1/{cluster}",
  ".GIT /{cluster}",
  ".g\u200cit/{cluster}",
  ".git:x/{cluster}",
  ".{x}",
  "git~{n}/a",
])("no folder such as %j", (cluster) => {
  const clusters = { "edge-0": { attributes: { x: "git", n: "1" } } };
  expect(load({ layout: { cluster }, clusters })).toBeUndefined();
});
