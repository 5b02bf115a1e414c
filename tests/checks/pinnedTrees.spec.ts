import { afterAll, beforeAll, expect, it } from "vitest";

import { checkFleet } from "../../checks/checkFleet.ts";
import { loadFleet } from "../../fleet/load.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const config = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\n`;

let workshop: GitWorkshop;
let repository: string;
let first: string;
beforeAll(async () => {
  workshop = new GitWorkshop();
  repository = await workshop.repository({});
  // The first revision holds a file that Flux stumbles over; the next one does not, and has one folder more.
  first = workshop.commit(repository, { "infra/map.yaml": config("base"), "infra/notes.yaml": "a: 1\n" });
  workshop.git(
    repository,
    "-c",
    "user.name=p",
    "-c",
    "user.email=p@e",
    "tag",
    "-a",
    "v1.4.0",
    "-m",
    "x",
    first,
  );
  workshop.git(repository, "branch", "old", first);
  workshop.commit(repository, { "infra/notes.yaml": null, "later/map.yaml": config("later") });
});
afterAll(() => workshop.remove());

const fleetOf = (sets: string, ref: string, more = "") => `apiVersion: arcflux/v1
repository: { url: "file://${repository}", branch: main }
platform: kubernetes
sources: { infra: { kind: GitRepository, url: self${ref === "" ? "" : `, ref: ${ref}`} } }
clusters: { store-1: { kubeconfig: { context: a }, sets: ${sets} } }
${more}
`;

function load(text: string) {
  const { fleet, findings, finding } = loadFleet(text, "fleet.yaml");
  if (fleet === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));
  return { fleet, finding };
}

/** Findings that a file of the revision is to blame for, and what was not looked at. */
async function said(text: string): Promise<string[]> {
  const { fleet, finding } = load(text);
  const context = { env: workshop.env, cacheRoot: workshop.cache };
  const { findings, elsewhere } = await checkFleet(fleet, { finding, context, whole: true });
  return [
    ...findings.map(({ severity, message, judgement }) => `${severity} ${message} [${judgement ?? ""}]`),
    ...[...elsewhere].map(([set, where]) => `${set}: ${where}`),
  ];
}

const infra = "{ base: { path: ./infra, source: infra } }";

it("builds a set at the commit that its source is pinned to", async () => {
  expect(await said(fleetOf(infra, ""))).toEqual([]);
  const blamed = expect.stringMatching(/^error infra\/notes\.yaml .* \[build\]$/) as string;
  for (const ref of ["{ tag: v1.4.0 }", "{ semver: 1.x }", "{ branch: old }", `{ commit: ${first} }`])
    expect([ref, await said(fleetOf(infra, ref))]).toEqual([ref, [blamed]]);
});

it("says what a pin does not have", async () => {
  const later = "{ later: { path: ./later, source: infra } }";
  expect(await said(fleetOf(later, "{ tag: v1.4.0 }"))).toEqual([
    expect.stringMatching(
      /^error "\.\/later" is not in tag v1\.4\.0, to which GitRepository infra is pinned.* \[left-out\]$/,
    ),
  ]);
  expect(await said(fleetOf(later, `{ commit: ${"0".repeat(39)}1 }`))).toEqual([
    "later: commit 0000000000000000000000000000000000000001 of infra could not be read",
  ]);
});

it("says what goes with a pinned set, by the pin that stands in Git", async () => {
  const { fleet } = load(fleetOf("{ later: { path: ./later, source: infra } }", "{ branch: main }"));
  const [cluster] = fleet.clusters;
  const files = Object.entries(renderClusterFolder(cluster!, fleet)).map(([path, text]) => [
    `${cluster!.folder}/${path}`,
    text,
  ]);
  const commit = workshop.git(repository, "rev-parse", "main");
  // Pinned by hand to a commit that the fleet file does not name any more.
  const pinned = files.map(
    ([path, text]) => [path!, text!.replace("branch: main", `commit: ${commit}`)] as const,
  );
  workshop.commit(repository, { ...Object.fromEntries(pinned), "later/map.yaml": config("moved") });
  expect(await said(fleetOf("{}", "", "removed: [later]"))).toContainEqual(
    expect.stringMatching(/set later goes away .*: 1 object: ConfigMap default\/later; `removed` says so/),
  );
  workshop.commit(repository, Object.fromEntries(pinned.map(([path]) => [path, null] as const)));
});

it("looks at Kustomizations that somebody wrote by hand, at a source of theirs too", async () => {
  const flux = "clusters/store-1/flux";
  const kustomization = (name: string, source: string) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system }\n` +
    `spec: { path: ./infra, interval: 10m, prune: true, sourceRef: { kind: GitRepository, name: ${source} } }\n`;
  const source = `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: mine, namespace: flux-system }\nspec: { url: "file://${repository}", interval: 5m, ref: { tag: v1.4.0 } }\n`;
  workshop.commit(repository, {
    [`${flux}/hand.yaml`]: `${kustomization("hand", "mine")}---\n${source}`,
    [`${flux}/far.yaml`]: kustomization("far", "another"),
  });
  expect(await said(fleetOf("{}", ""))).toEqual([
    expect.stringMatching(/^error infra\/notes\.yaml .* \[build\]$/),
    "far: GitRepository another lies elsewhere",
  ]);
});
