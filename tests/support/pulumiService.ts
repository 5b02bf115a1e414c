import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A pack as somebody published it. */
export interface Published {
  readonly organisation: string;
  /** Name, version and policies, as the command read them from the pack. */
  readonly request: {
    readonly name: string;
    readonly versionTag: string;
    readonly policies: readonly object[];
  };
  /** What it uploaded: a tar of the folder, compressed. */
  readonly archive: Buffer;
}

/** As much of the Pulumi service as `pulumi policy publish` talks to. */
export interface PulumiService {
  readonly env: Readonly<Record<string, string>>;
  /** What was published in full. */
  readonly published: readonly Published[];
  readonly stop: () => void;
}

export async function startPulumiService(): Promise<PulumiService> {
  const published: Published[] = [];
  let request: Published["request"] | undefined;
  let archive: Buffer | undefined;
  const server = createServer((incoming, outgoing) => {
    void buffer(incoming).then((body) => {
      const [path = ""] = (incoming.url ?? "").split("?");
      const call = `${incoming.method} ${path}`;
      const answer = (value: object): void => {
        outgoing.setHeader("content-type", "application/json");
        outgoing.end(JSON.stringify(value));
      };
      const organisation = /^\/api\/orgs\/([^/]+)\/policypacks/.exec(path)?.[1];
      if (call === "GET /api/user") answer({ githubLogin: "ada", name: "Ada", organizations: [] });
      else if (call === "PUT /upload") {
        archive = body;
        answer({});
      } else if (incoming.method === "POST" && path.endsWith("/complete") && organisation !== undefined) {
        if (request && archive) published.push({ organisation, request, archive });
        answer({});
      } else if (incoming.method === "GET" && organisation !== undefined) answer({ ...request, version: 1 });
      else if (incoming.method === "POST" && organisation !== undefined) {
        request = JSON.parse(body.toString()) as Published["request"];
        answer({ version: 1, uploadURI: `${url}/upload`, requiredHeaders: {} });
      } else {
        outgoing.statusCode = 404;
        answer({ code: 404, message: `The stand-in does not know ${call}.` });
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { PULUMI_BACKEND_URL: url, PULUMI_ACCESS_TOKEN: "pul-stand-in" },
    published,
    stop: () => void server.close(),
  };
}
