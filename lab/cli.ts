import { cliArguments, usage } from "./cliArguments.ts";
import { LabInUse } from "./lock.ts";
import { root, startLab } from "./lab.ts";
import { runInLab } from "./runInLab.ts";
import { sampleManifests } from "./sampleManifests.ts";
import { bringClusterTools } from "./tools/bring.ts";

/** `npm run lab -- [OPTIONS] [--] [COMMAND…]`. Exit code: that of the command; 2 for wrong usage; 1 when the lab fails. */
async function main(): Promise<number> {
  const parsed = cliArguments(process.argv.slice(2), root);
  if (parsed.kind === "help") {
    console.log(usage);
    return 0;
  }
  if (parsed.kind === "wrong") {
    console.error(`${parsed.message}\n\n${usage}`);
    return 2;
  }
  let told: NodeJS.Signals | undefined;
  const early = (signal: NodeJS.Signals): void => void (told = signal);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, early);
  const { dir, kubernetes } = parsed;
  if (kubernetes !== undefined) await bringClusterTools(root);
  // Flux complains of a set without manifests; the stand-in for Kubernetes does not look at them.
  const manifests = kubernetes && (await sampleManifests());
  const lab = await startLab({
    ...{ dir, ...kubernetes, log: (line) => console.error(line) },
    ...(manifests && { manifests }),
  });
  try {
    return told === undefined ? await runInLab(lab, parsed.command) : 130;
  } finally {
    await lab.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(
    error instanceof LabInUse || process.env["DEBUG"] === undefined ? (error as Error).message : error,
  );
  process.exitCode = 1;
}
