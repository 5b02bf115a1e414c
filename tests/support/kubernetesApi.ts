import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a cluster that is not there says of itself. */
export interface PretendedCluster {
  readonly isAdmin?: boolean;
  readonly namespaces?: readonly string[];
  /** Namespaces that hold a Helm release of the Arc agents. */
  readonly releases?: readonly string[];
  /** Deployments of flux-system, with their labels. */
  readonly controllers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A Kubernetes API that answers what the doctor asks. */
export async function startKubernetesApi(
  cluster: () => PretendedCluster,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const { isAdmin = true, namespaces = ["default"], releases = [], controllers = {} } = cluster();
    const path = request.url ?? "";
    const send = (body: object, status = 200): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    request.resume();
    if (path.startsWith("/version")) return send({ major: "1", minor: "33", gitVersion: "v1.33.1" });
    if (path.includes("/selfsubjectaccessreviews"))
      return send({ spec: {}, status: { allowed: isAdmin } }, 201);
    const list = (names: readonly string[]) => ({ items: names.map((name) => ({ metadata: { name } })) });
    if (path === "/api/v1/namespaces") return send(list(namespaces));
    const [, namespace = ""] = /\/namespaces\/([^/]+)\/secrets/.exec(path) ?? [];
    if (namespace !== "")
      return send(list(releases.includes(namespace) ? ["sh.helm.release.v1.azure-arc.v1"] : []));
    if (path === "/apis/apps/v1/namespaces/flux-system/deployments")
      return send({
        items: Object.entries(controllers).map(([name, labels]) => ({ metadata: { name, labels } })),
      });
    return send({ message: "not found" }, 404);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A kubeconfig with these contexts, each of one server. */
export function kubeconfigOf(servers: Readonly<Record<string, string>>): string {
  const names = Object.entries(servers);
  return JSON.stringify({
    ...{ apiVersion: "v1", kind: "Config", "current-context": names[0]?.[0] ?? "" },
    clusters: names.map(([name, server]) => ({
      name,
      cluster: { server, "insecure-skip-tls-verify": true },
    })),
    contexts: names.map(([name]) => ({ name, context: { cluster: name, user: name } })),
    users: names.map(([name]) => ({ name, user: {} })),
  });
}
