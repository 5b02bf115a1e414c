import { execFile } from "node:child_process";

import { ClusterError, type Sent } from "../status/index.ts";
import { asMap, asText } from "../values/maps.ts";

/** For the backend of Pulumi, in milliseconds. */
const patience = 60_000;

/**
 * What the last update of a stack told Azure, by cluster, from its output `clusters`; the engine reads the backend that this
 * folder is signed in to. Rejects with ClusterError, in Pulumi's words.
 */
export async function sentByStack(
  stack: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ReadonlyMap<string, Sent>> {
  const args = ["stack", "output", "--json", "--non-interactive", "--color", "never", "--stack", stack];
  const outputs = JSON.parse(await pulumi(stack, args, env)) as unknown;
  const clusters = Object.entries(asMap(asMap(outputs)["clusters"]));
  return new Map(
    clusters.flatMap(([name, cluster]): [string, Sent][] => {
      const sent = asMap(asMap(cluster)["sent"]);
      const [at, credential, replaces] = ["at", "credential", "replaces"].map((key) => asText(sent[key]));
      if (at === undefined) return [];
      return [[name, { at, ...(credential && { credential }), ...(replaces && { replaces }) }]];
    }),
  );
}

function pulumi(stack: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((done, fail) => {
    const options = { env, timeout: patience, maxBuffer: 256 << 20 };
    execFile("pulumi", args, options, (error, stdout, stderr) => {
      if (error === null) return done(stdout);
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      const [words = ""] = stderr.replace(/^error: /, "").split("\n");
      fail(
        new ClusterError(
          missing
            ? "There is no pulumi on the PATH, which reads the stack. Leave --stack out, or run npm run setup."
            : `Pulumi does not tell what stack ${stack} sent: ${words || "no answer in time"}. See pulumi stack ls, in the folder of its Pulumi.yaml.`,
        ),
      );
    });
  });
}
