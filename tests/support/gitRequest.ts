import type { WriteRequest } from "../../git/words/types.ts";

/** A write of one file to the folder of one cluster, with anything overridden. */
export function writeRequest(overrides: Partial<WriteRequest> & { readonly url: string }): WriteRequest {
  return {
    branch: "main",
    directory: "clusters/edge-1/flux",
    files: { "web.yaml": "kind: Kustomization\n" },
    owned: {},
    message: "Update edge-1",
    author: { name: "Arcflux", email: "arcflux@example.com" },
    ...overrides,
  };
}
