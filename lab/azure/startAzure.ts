import type { ArmServer } from "./http/startArm.ts";
import { startArm } from "./http/startArm.ts";

/** Starts the Azure of a lab, at the port of the last start if that can be had. */
export async function startAzure(
  dir: string,
  port: number | undefined,
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<ArmServer> {
  const options = { dir, assumeClusters: env["ARCFLUX_LAB_ASSUME_CLUSTERS"] === "true" };
  if (port === undefined) return startArm(options);
  try {
    return await startArm({ ...options, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    log(`Port ${port} of the lab's Azure is taken by another process; it gets another one.`);
    return startArm(options);
  }
}
