import { expect, it } from "vitest";

import { unprovenPins } from "../../program/unprovenPins.ts";
import { mustLoad } from "../fleet/fixture.ts";

const { stages, clusters } = mustLoad(`apiVersion: arcflux/v1
platform: kubernetes
repository: { url: https://git.example.com/edge/fleet.git }
sources:
  infra: { kind: GitRepository, url: https://git.example.com/edge/infra.git, ref: { tag: v1 } }
  apps: { kind: GitRepository, url: https://git.example.com/edge/apps.git, ref: { tag: v1 } }
stages:
  test: { branch: test }
  prod: { branch: prod, after: test, pins: { infra: { tag: v2 }, apps: { tag: v3 } } }
sets: { base: { path: ./base, source: infra }, pos: { path: ./pos, source: apps } }
clusters:
  t1: { stage: test, kubeconfig: { context: t1 }, sets: { base: {}, pos: {} } }
  t2: { stage: test, kubeconfig: { context: t2 }, sets: { base: {}, pos: {} } }
  p: { stage: prod, kubeconfig: { context: p }, sets: { base: {}, pos: {} } }
`);

it("reads the history of a branch once, however many sources and clusters it is to prove", async () => {
  const asked: (readonly [string, readonly string[]])[] = [];
  const had = new TextEncoder().encode("kind: GitRepository\nspec: { ref: { tag: v2 } }\n");
  const [test, prod] = stages;
  const unproven = await unprovenPins(prod!, test!, clusters, clusters, {
    refs: () => Promise.resolve({ branches: ["main", "test"], tags: [], commits: {} }),
    earlier: (branch, paths) => {
      asked.push([branch, paths]);
      return Promise.resolve(new Map(paths.map((path) => [path, [had]])));
    },
  });
  expect(unproven).toEqual(["apps at tag v3"]);
  expect(asked.map(([branch, paths]) => [branch, [...paths].sort()])).toEqual([
    [
      "test",
      [
        "clusters/t1/flux/source-apps.yaml",
        "clusters/t1/flux/source-infra.yaml",
        "clusters/t2/flux/source-apps.yaml",
        "clusters/t2/flux/source-infra.yaml",
      ],
    ],
  ]);
});

it("takes a range as Flux writes it, with commas that mean and", async () => {
  const { stages: both, clusters: all } = mustLoad(`apiVersion: arcflux/v1
platform: kubernetes
repository: { url: https://git.example.com/edge/fleet.git }
sources: { infra: { kind: GitRepository, url: https://git.example.com/edge/infra.git, ref: { semver: ">=1.0.0, <2.0.0" } } }
stages:
  test: { branch: test }
  prod: { branch: prod, after: test, pins: { infra: { tag: v1.4.0 } } }
  next: { branch: next, after: test, pins: { infra: { tag: v2.0.0 } } }
sets: { base: { path: ./base, source: infra } }
clusters:
  t: { stage: test, kubeconfig: { context: t }, sets: { base: {} } }
  p: { stage: prod, kubeconfig: { context: p }, sets: { base: {} } }
  n: { stage: next, kubeconfig: { context: n }, sets: { base: {} } }
`);
  const [test, prod, next] = both;
  expect(await unprovenPins(prod!, test!, all, all, undefined)).toEqual([]);
  expect(await unprovenPins(next!, test!, all, all, undefined)).toEqual(["infra at tag v2.0.0"]);
});
