import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { text } from "node:stream/consumers";
import { openBuilder } from "../build/index.ts";
import { folderTree } from "../checks/folderTree.ts";
import {
  foundOnCluster,
  importClusters,
  type Imported,
  importRepository,
  objectsOf,
} from "../import/index.ts";
import { show } from "../values/show.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";

/** A command that could not be done; the message is complete. */
export class ImportError extends Error {
  readonly code: ExitCode;
  constructor(code: ExitCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What is imported, and what to call it in messages. */
export interface Input {
  readonly imported: Imported;
  readonly what: string;
  /** What to name instead, where nothing was found. */
  readonly next: string;
}

interface Options {
  readonly repositoryUrl?: string;
}

/** The clusters of a folder in a clone; a file, or `-` for standard input, holds what `kubectl get -o yaml` prints. */
export async function inputAt(path: string, cluster: string | undefined, options: Options): Promise<Input> {
  if (path === "-") return listed("standard input", await text(process.stdin), cluster, options);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) throw unreadable(path, found);
  if (found.isFile())
    return listed(
      path,
      await readFile(path, "utf8").catch((error: Error) => Promise.reject(unreadable(path, error))),
      cluster,
      options,
    );
  return inClone(path, options);
}

async function inClone(path: string, options: Options): Promise<Input> {
  const folder = resolve(path);
  // The folder with the Flux objects itself is often named so.
  const wanted = /^flux(-system)?$/.test(basename(folder)) ? dirname(folder) : folder;
  const root = await repositoryRoot(wanted);
  const builder = openBuilder();
  if ("kind" in builder) throw new ImportError(exitCodes.failed, builder.message);
  try {
    const below = relative(root, wanted).split(sep).join("/");
    const imported = await importRepository(folderTree(root), below, builder, options);
    return {
      imported,
      what: path,
      next: "Name the folder of a cluster, such as clusters/edge-device-0, or the one above it",
    };
  } catch (error) {
    const { code, path: place } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw unreadable(place ?? path, error as Error);
  } finally {
    await builder.close();
  }
}

function listed(what: string, content: string, cluster: string | undefined, options: Options): Input {
  const { objects, notTaken } = objectsOf(what.endsWith(".yaml") ? what : `${what}.yaml`, content);
  const found = objects.map((object) => ({ ...object, file: "" }));
  const imported = importClusters(
    found.length === 0 ? [] : [foundOnCluster(cluster ?? "edge-0", found)],
    options,
    notTaken.map((each) => ({ ...each, file: "" })),
  );
  return {
    imported,
    what,
    next: "Write there what `kubectl get kustomizations,gitrepositories -A -o yaml` prints",
  };
}

/** The Flux objects of a cluster that a context of the user's kubeconfig reaches. Nothing is changed there. */
export async function inputOf(
  context: string,
  cluster: string | undefined,
  options: Options,
): Promise<Input> {
  // Half a second to load, which no other way of importing needs.
  const { loadKubeconfig } = await import("../status/ask/kubeconfig.ts");
  const { openContext } = await import("../status/ask/kubernetesApi.ts");
  const { Unreachable } = await import("../status/ask/clusterError.ts");
  const api = openContext(loadKubeconfig(), context, { timeout: 30_000 });
  if (api === undefined)
    throw new ImportError(
      exitCodes.input,
      `Your kubeconfig has no context ${show(context)}; list them with kubectl config get-contexts.`,
    );
  const kinds = [
    ["kustomize.toolkit.fluxcd.io", "kustomizations", "Kustomization"],
    ["source.toolkit.fluxcd.io", "gitrepositories", "GitRepository"],
    ["source.toolkit.fluxcd.io", "ocirepositories", "OCIRepository"],
    ["source.toolkit.fluxcd.io", "buckets", "Bucket"],
  ] as const;
  const lists = await Promise.all(
    kinds.map(async ([group, plural, kind]) =>
      (await api.list({ group, version: "v1", plural })).map((value) => ({
        file: "",
        apiVersion: `${group}/v1`,
        kind,
        value,
        sourceAt: () => undefined,
      })),
    ),
  ).catch((error: Error) => {
    const message = error instanceof Unreachable ? error.withNext : error.message;
    throw new ImportError(exitCodes.failed, message);
  });
  const objects = lists.flat();
  const imported = importClusters(
    objects.length === 0 ? [] : [foundOnCluster(cluster ?? clusterName(context), objects)],
    options,
  );
  return { imported, what: `context ${context}`, next: "Name the context of a cluster that Flux runs on" };
}

function clusterName(context: string): string {
  return (
    context
      .replaceAll(/[^-_A-Za-z0-9]+/g, "-")
      .replaceAll(/^[-_]+|[-_]+$/g, "")
      .slice(0, 63) || "edge-0"
  );
}

/** The root of the clone around a folder; without one, what holds its `clusters`, else the folder above it. */
async function repositoryRoot(folder: string): Promise<string> {
  for (let here = folder; ; here = dirname(here)) {
    if ((await stat(join(here, ".git")).catch(() => undefined)) !== undefined) return here;
    if (dirname(here) === here) break;
  }
  for (let here = folder; dirname(here) !== here; here = dirname(here))
    if (basename(here) === "clusters") return dirname(here);
  return dirname(folder);
}

function unreadable(path: string, error: Error): ImportError {
  const { code = error.message } = error as NodeJS.ErrnoException;
  const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
  return new ImportError(exitCodes.input, `${path} ${reason}; name the folder of a cluster.`);
}
