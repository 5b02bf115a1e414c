import { delimiter } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { printable } from "../../values/show.ts";
import { ClusterError } from "./clusterError.ts";

/**
 * A kubeconfig by its text, else the user's: that of KUBECONFIG, or of the home folder; without contexts where there is none.
 * Throws ClusterError with its place where it cannot be read, and never with what stands in it: that is mostly secret.
 */
export function loadKubeconfig(text?: string): KubeConfig {
  const config = new KubeConfig();
  try {
    if (text === undefined) config.loadFromDefault();
    else config.loadFromString(text);
  } catch (error) {
    const { code, mark } = error as NodeJS.ErrnoException & { readonly mark?: { readonly line: number } };
    if (code === "ENOENT") return new KubeConfig();
    const where = mark === undefined ? code : `line ${mark.line + 1}`;
    const which = text === undefined ? usersFile() : "from stack config";
    // Not as its cause either: the parser's message quotes the lines around the fault.
    throw new ClusterError(
      `the kubeconfig ${which} cannot be read${where === undefined ? "" : ` (${where})`}`,
    );
  }
  return config;
}

/** The file of KUBECONFIG that cannot be read, all where each can for itself, or the usual one. */
function usersFile(): string {
  const files = process.env["KUBECONFIG"]?.split(delimiter).filter((file) => file !== "") ?? [];
  const faulty = files.find((file) => !isReadable(file));
  return files.length === 0 ? "~/.kube/config" : printable(faulty ?? files.join(delimiter));
}

function isReadable(file: string): boolean {
  try {
    new KubeConfig().loadFromFile(file);
    return true;
  } catch {
    return false;
  }
}
