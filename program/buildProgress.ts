import * as pulumi from "@pulumi/pulumi";

/** Builds that take no time are not worth a word. */
const patience = 2_000;

/** Says how far the builds are, for the eyes alone: the engine shows it on a terminal and puts it into no log. */
export function buildProgress(now: () => number = Date.now): (done: number, of: number) => void {
  const start = now();
  let said = start;
  return (done, of) => {
    if (now() - start < patience || now() - said < 500 || done === of) return;
    said = now();
    void pulumi.log.info(`Building what the sets apply: ${done} of ${of}`, undefined, undefined, true);
  };
}
