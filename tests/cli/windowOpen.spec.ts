import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { loadFleet } from "../../fleet/load.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { workFolder } from "./workFolder.ts";

const { path, save, run } = workFolder();

const aDay = 24 * 60 * 60_000;
const dayIn = (days: number) => new Date(Date.now() + days * aDay).toISOString().slice(0, 10);
/** A day ahead, and the one after it. */
const [day, nextDay] = [dayIn(40), dayIn(41)];
const [, month = 0, date = 0] = day.split("-").map(Number);

const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
windows:
  # Stores sleep at night.
  nightly: { open: "0 1 * * *", close: "0 4 * * *", timeZone: Europe/Berlin } # all of them
stages: { prod: { branch: prod } }
sets: { pos: { path: ./apps/pos, window: nightly, timeout: 5m } }
groups: { all: { match: {}, sets: { pos: {} } } }
clusters:
  store-1: { kubeconfig: { context: a }, labels: { region: north } }
  store-2: { kubeconfig: { context: b } }
  store-3: { kubeconfig: { context: c }, stage: prod }
`;

interface CronJob {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly schedule: string;
    readonly timeZone: string;
    readonly startingDeadlineSeconds?: number;
  };
}

/** Schedules of the jobs that open the window of each cluster, with what they say of late starts. */
function opening(text: string, today: string): Record<string, string[]> {
  const { fleet: loaded, findings } = loadFleet(text, "fleet.yaml", { today });
  if (loaded === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));
  return Object.fromEntries(
    loaded.clusters.map((cluster) => {
      const file = renderClusterFolder(cluster)["flux/window-nightly.yaml"]!;
      const jobs = parseAllDocuments(file).map((document) => document.toJS() as CronJob);
      const opens = jobs.filter(
        ({ kind, metadata }) => kind === "CronJob" && metadata.name.includes("-open-"),
      );
      return [
        cluster.name,
        opens.map(({ spec }) => `${spec.schedule} ${spec.timeZone} ${spec.startingDeadlineSeconds}`),
      ];
    }),
  );
}

it(
  "a window is opened by hand through Git: dated, for whom it is said, and over by itself",
  { timeout: 300_000 },
  async () => {
    await save(fleet);
    const opened = await run(
      `window open nightly --match region=north --for 30m --at ${day}T10:00Z --reason INC-4711`,
    );
    expect([opened.code, opened.err]).toEqual([0, ""]);
    expect(opened.out).toMatch(
      new RegExp(
        `^fleet\\.yaml: window nightly opens ${day}T10:00Z for 30m on 1 cluster \\(store-1\\)\\.\\nRun pulumi up`,
      ),
    );
    const text = await readFile(join(path(), "fleet.yaml"), "utf8");
    expect(text).toBe(
      fleet.replace(
        "Europe/Berlin }",
        `Europe/Berlin, openings: { ${day}T10:00Z: { for: 30m, reason: INC-4711, match: { region: "north" } } } }`,
      ),
    );
    const nightly = ["*/10 1-3 * * * Europe/Berlin 240"];
    // The last fetch is five minutes before the end; a job that would start later than four minutes does not at all.
    const byHand = `0-20/10 10 ${date} ${month} * Etc/UTC 240`;
    const { "store-1": one, ...others } = opening(text, day);
    expect(one).toEqual([byHand, ...nightly]);
    expect(others).toEqual({ "store-2": nightly, "store-3": nightly });
    expect(opening(text, nextDay)).toEqual({
      "store-1": nightly,
      "store-2": nightly,
      "store-3": nightly,
    });
    const after = loadFleet(text, "fleet.yaml", { today: nextDay }).findings;
    expect(after.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^is over; take it out/),
    );
    const next = await run("window open nightly --cluster store-2 --reason again --json");
    const { opening: start, clusters } = JSON.parse(next.out) as { opening: string; clusters: string[] };
    expect([next.code, clusters]).toEqual([0, ["store-2"]]);
    // Time for an update, and for the cluster to look.
    expect(Date.parse(start) - Date.now()).toBeGreaterThan(19 * 60_000);
    expect(start).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d0Z$/);
  },
);

it(
  "an opening that cannot be is refused with the way on, and nothing is written",
  { timeout: 300_000 },
  async () => {
    await save(fleet);
    const refused = async (args: string) => {
      const { code, err } = await run(`window ${args} --reason INC-4711`);
      return [code, err.split("\n")[0]];
    };
    const said = (text: string): unknown => [2, expect.stringContaining(text)];
    expect(await refused("open nightly")).toEqual(said("Say where: --context NAME"));
    expect(await refused("open nightly --stage prod")).toEqual(
      said("store-3 get the opening by promotion. Say when"),
    );
    expect(await refused(`open nightly --cluster store-1 --at ${dayIn(400)}T10:00Z`)).toEqual(
      said("more than a year ahead"),
    );
    expect(await refused(`open rare --cluster store-1 --at ${day}T10:00Z`)).toEqual(
      said('has a window "rare"'),
    );
    expect(await refused("open nightly --cluster store-1 --at 2020-12-01T10:00Z")).toEqual(
      said("--at is over"),
    );
    expect(await refused("open nightly --cluster store-1 --for 25m")).toEqual(said("ten-minute steps"));
    expect(await refused("close nightly --stage prod")).toEqual(said("freezes: { hold-nightly: { from: "));
    // Shorter than what its sets may take: the finding of the fleet file, which stays as it was.
    await save(fleet.replace("Europe/Berlin }", "Europe/Berlin, settle: 45m }"));
    expect(await refused(`open nightly --cluster store-1 --at ${day}T10:00Z`)).toEqual(
      said("is open 30 minutes, less than the 45"),
    );
    expect(await readFile(join(path(), "fleet.yaml"), "utf8")).not.toContain("openings");
  },
);
