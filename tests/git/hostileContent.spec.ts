import { afterEach, beforeEach, expect, it } from "vitest";
import { compareMeaning } from "../../flux/compareMeaning.ts";
import { writeFiles } from "../../git/index.ts";
import type { GitContext, WriteRequest } from "../../git/index.ts";
import { beforeOf, writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

let shop: GitWorkshop;
let url: string;
let context: GitContext;
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n" });
  context = { env: shop.env, tempRoot: shop.tempRoot, compare: compareMeaning };
});
afterEach(() => shop.remove());

const group = "kustomize.toolkit.fluxcd.io/v1";
const ours = `apiVersion: ${group}\nkind: Kustomization\nmetadata:\n  name: a\nspec:\n  interval: 10m\n`;
const wanted = ours.replace("10m", "11m");
const theirs = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: theirs}\n";
const fileOf = (cluster: string): string => `clusters/${cluster}/flux/a.yaml`;

/** Writes to many clusters in one push; those that went through, and what the others were told. */
const writeTo = async (
  clusters: readonly string[],
  content: string,
  overrides: (cluster: string) => Partial<WriteRequest> = () => ({}),
) => {
  const written = new Map<string, Pick<WriteRequest, "before">>();
  const refused = new Map<string, string>();
  await Promise.all(
    clusters.map(async (cluster) => {
      const directory = `clusters/${cluster}/flux`;
      const request = { url, directory, files: { "a.yaml": content }, ...overrides(cluster) };
      await writeFiles(writeRequest(request), context).then(
        (result) => written.set(cluster, { before: beforeOf(result, directory) }),
        (error: unknown) => refused.set(cluster, String(error)),
      );
    }),
  );
  return { written, refused };
};

it("what somebody wrote into a file of ours, or when, is that file's matter alone", async () => {
  const changed: readonly (readonly [cluster: string, content: string, told: string])[] = [
    ["circle", `${ours}x: &x [*x]\n`, "line 7"],
    ["constructor", `${ours}constructor: x\n`, `constructor: "x" -> (absent)`],
    ["to-string", `${ours}toString: 1\n`, "toString: 1 -> (absent)"],
    ["deeper", ours.replace("metadata:", "metadata:\n  labels: {constructor: x}"), "metadata.labels"],
    ["brackets", `${ours}x: ${"[".repeat(5000)}`, "line 7"],
  ];
  const names = changed.map(([cluster]) => cluster);
  const { written } = await writeTo([...names, "bystander"], ours);
  const by = shop.commit(url, Object.fromEntries(changed.map(([name, content]) => [fileOf(name), content])));
  const raw = shop
    .git(url, "cat-file", "commit", by)
    .replace(/^(author|committer) .*$/gm, "$1 Eve <eve@example.com> 9000000000000 +0000");
  const dated = shop.gitWithInput(
    url,
    Buffer.from(`${raw}\n`),
    "hash-object",
    "-t",
    "commit",
    "-w",
    "--stdin",
  );
  shop.git(url, "update-ref", "refs/heads/main", dated);

  const owned = (cluster: string) => written.get(cluster) ?? {};
  const update = await writeTo([...names, "bystander"], wanted, owned);
  expect([...update.written.keys()]).toEqual(["bystander"]);
  for (const [name, , told] of changed) {
    expect(update.refused.get(name)).toContain(`commit ${dated.slice(0, 10)} of Eve, an unknown date`);
    expect(update.refused.get(name)).toContain(told);
  }
  const restored = await writeTo(names, wanted, (cluster) => ({ ...owned(cluster), drift: "restore" }));
  expect(Object.fromEntries(restored.refused)).toEqual({});
});

it("adopt: overwrite writes over no object of others, nor over what cannot be read", async () => {
  const listOf = (kind: string, ...items: object[]) => ({ kind, apiVersion: "v1", items });
  const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  const own = { apiVersion: group, kind: "Kustomization", metadata: { name: "a" } };
  const aliases = Array.from({ length: 101 }, (_, index) => `  k${index}: *v\n`).join("");
  const found: readonly (readonly [cluster: string, content: string, told: string])[] = [
    ["aliases", `${ours}---\n${theirs}data:\n  a: &v x\n${aliases}`, "(ConfigMap theirs)"],
    ["key-twice", `${ours}---\n${theirs}data: {a: b, a: c}\n`, "holds a key twice"],
    [
      "list-in-list",
      JSON.stringify(listOf("List", listOf("List", own, configMap("theirs")))),
      "(ConfigMap theirs)",
    ],
    [
      "list-of-kind",
      JSON.stringify(listOf("ConfigMapList", configMap("x"), configMap("y"))),
      "(ConfigMap x, ConfigMap y)",
    ],
    [
      "other-group",
      `${ours}---\napiVersion: example.com/v1\nkind: Kustomization\nmetadata: {name: a}\n`,
      "(Kustomization a)",
    ],
    ["no-yaml", `${ours}---\n\tnot: yaml\n`, "it is not valid YAML at line 8"],
    ["nul", `${ours}---\n${theirs}x: \0\n`, "it is not text"],
  ];
  const names = found.map(([cluster]) => cluster);
  shop.commit(url, Object.fromEntries(found.map(([name, content]) => [fileOf(name), content])));
  const { written, refused } = await writeTo([...names, "bystander"], wanted, () => ({ adopt: "overwrite" }));
  expect([...written.keys()]).toEqual(["bystander"]);
  for (const [name, , told] of found) expect(refused.get(name)).toContain(told);
});
