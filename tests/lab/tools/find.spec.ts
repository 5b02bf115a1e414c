import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findClusterTools } from "../../../lab/tools/find.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "arcflux-find-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const keys = [
  ...["etcd", "kubeApiserver", "kubeControllerManager", "kubectl", "kubernetesProvider"],
  ...["sourceController", "kustomizeController", "kustomizeControllerOfAzure"],
];
const place = (key: string): string => path.join(root, "cache", key, "program");

function put(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "");
}

/** Puts a program for each key, CRDs beside the controllers, and writes down where they are as set-up does. */
function note(noted: readonly string[]): void {
  for (const key of noted) {
    put(place(key));
    if (key.includes("Controller")) mkdirSync(path.join(path.dirname(place(key)), "crds"));
  }
  const file = path.join(root, "node_modules", ".arcflux", "tools.json");
  mkdirSync(path.dirname(file), { recursive: true });
  const cluster = Object.fromEntries(noted.map((key) => [key, place(key)]));
  writeFileSync(file, JSON.stringify({ node: {}, pulumi: null, cluster }));
}

test("gives the paths that set-up noted, and the CRDs beside each controller", () => {
  note(keys);
  const controller = (key: string) => ({
    program: place(key),
    crds: path.join(root, "cache", key, "crds"),
  });
  expect(findClusterTools(root, {})).toEqual({
    etcd: place("etcd"),
    kubeApiserver: place("kubeApiserver"),
    kubeControllerManager: place("kubeControllerManager"),
    kubectl: place("kubectl"),
    kubernetesProvider: place("kubernetesProvider"),
    sourceController: controller("sourceController"),
    kustomizeController: {
      newest: controller("kustomizeController"),
      azure: controller("kustomizeControllerOfAzure"),
    },
  });
});

test("before set-up brought them it says how to", () => {
  const next = /not there: etcd, .*kubernetesProvider.*`npm run setup -- --cluster`/;
  expect(() => findClusterTools(root, {})).toThrow(next);
  note([]);
  expect(() => findClusterTools(root, {})).toThrow(next);
});

test("names all that are noted and gone, CRDs too", () => {
  note(keys);
  rmSync(place("etcd"));
  rmSync(path.join(path.dirname(place("sourceController")), "crds"), { recursive: true });
  expect(() => findClusterTools(root, {})).toThrow(
    `not there: ${place("etcd")}, ${path.join(root, "cache", "sourceController", "crds")}. Run`,
  );
});

test("a folder that ARCFLUX_CLUSTER_TOOLS names goes first, and is looked into", () => {
  note(keys);
  const folder = path.join(root, "mine");
  const names = [
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kubectl",
    "pulumi-resource-kubernetes",
  ];
  const controllers = ["source-controller", "kustomize-controller", "kustomize-controller-1.7.3"];
  for (const name of [...names, ...controllers]) put(path.join(folder, name));
  for (const name of controllers) mkdirSync(path.join(folder, "crds", name), { recursive: true });
  const env = { ARCFLUX_CLUSTER_TOOLS: folder };
  expect(findClusterTools(root, env).kustomizeController.azure).toEqual({
    program: path.join(folder, "kustomize-controller-1.7.3"),
    crds: path.join(folder, "crds", "kustomize-controller-1.7.3"),
  });
  rmSync(path.join(folder, "kubectl"));
  expect(() => findClusterTools(root, env)).toThrow(
    `not there: ${path.join(folder, "kubectl")}. They were looked for in ${folder}`,
  );
});
