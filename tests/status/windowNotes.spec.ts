import { describe, expect, it } from "vitest";
import { type FluxObject, fluxObject } from "../../status/fluxObject.ts";
import { removedWindows, windowNotes } from "../../status/judge/windowNotes.ts";
import { windowsOf } from "../../status/judge/windowsOf.ts";
import { windowText } from "../../status/windowText.ts";
import { clusterOf, windowOf } from "../flux/fixture.ts";

// From 1:00 to 4:00 in Berlin, which is 0:00 to 3:00 in UTC in November.
const cluster = clusterOf({ windows: [windowOf("nightly")] });
const noon = new Date("2026-11-28T12:00:00Z");

/** The window's source as the API returns it: who wrote `suspend`, and when. */
const source = (suspend: boolean, time: string) =>
  fluxObject(
    {
      metadata: {
        name: "window-nightly",
        namespace: "flux-system",
        managedFields: [
          {
            manager: "kustomize-controller",
            time: "2026-11-01T00:00:00Z",
            fieldsV1: { "f:spec": { "f:url": {} } },
          },
          { manager: "kubectl-patch", time, fieldsV1: { "f:spec": { "f:suspend": {} } } },
        ],
      },
      spec: { suspend },
    },
    "GitRepository",
  );
const windowsAt = (objects: FluxObject[], of = cluster) => windowsOf(of, objects, noon);
const texts = (...args: Parameters<typeof source>) =>
  windowNotes(windowsAt([source(...args)])).map(({ text }) => text);

describe("a window", () => {
  it("that fetched in its last opening, or missed one, has nothing to say", () => {
    expect(texts(true, "2026-11-28T02:50:00Z")).toEqual([]);
    expect(texts(true, "2026-11-27T02:50:00Z")).toEqual([]);
  });

  it("whose jobs do not run is told with the openings since the last fetch", () => {
    expect(texts(true, "2026-11-25T02:50:00Z")).toEqual([
      "window nightly missed 3 openings: its jobs do not run",
    ]);
  });

  it("that was left open is told, and one in a pulse is not", () => {
    expect(texts(false, "2026-11-28T02:50:00Z")).toEqual([
      expect.stringMatching(/^window nightly was left open/),
    ]);
    expect(texts(false, "2026-11-28T11:59:50Z")).toEqual([]);
  });

  it("misses nothing in a freeze, and where nobody tells when it was written", () => {
    const freeze = { name: "xmas", from: "2026-11-01", until: "2026-12-01", reason: "x", liveSets: false };
    expect(windowNotes(windowsAt([source(true, "2026-11-01T00:00:00Z")], { ...cluster, freeze }))).toEqual(
      [],
    );
    const untold = fluxObject(
      { metadata: { name: "window-nightly", namespace: "flux-system" }, spec: { suspend: true } },
      "GitRepository",
    );
    expect(windowNotes(windowsAt([untold]))).toEqual([]);
    expect(windowNotes(windowsAt([]))).toEqual([]);
  });

  it("is shown open or shut, since when and until when by its own clock, with what was missed", () => {
    const shown = (objects: FluxObject[], of = cluster) => windowsAt(objects, of).map(windowText);
    expect(shown([source(true, "2026-11-25T02:50:00Z")])).toEqual([
      "window nightly: shut since 2026-11-28 04:00, opens 2026-11-29 01:00 (Europe/Berlin), missed 3 openings",
    ]);
    const night = windowsOf(cluster, [], new Date("2026-11-28T00:30:00Z")).map(windowText);
    expect(night).toEqual([
      "window nightly: open since 2026-11-28 01:00, closes 2026-11-28 04:00 (Europe/Berlin)",
    ]);
    const freeze = { name: "xmas", from: "2026-11-01", until: "2026-12-01", reason: "x", liveSets: false };
    // From midnight in UTC on, the second is after the freeze; 1:00 in Berlin is that very minute.
    const frozen = "opens 2026-12-02 01:00 (Europe/Berlin), frozen until 2026-12-01";
    expect(shown([], { ...cluster, freeze })).toEqual([
      `window nightly: shut since 2026-11-28 04:00, ${frozen}`,
    ]);
    const inNight = windowsOf({ ...cluster, freeze }, [], new Date("2026-11-28T00:30:00Z")).map(windowText);
    expect(inNight).toEqual([`window nightly: shut, ${frozen}`]);
  });

  it("that was removed and left its source behind is named, with the command that deletes it", () => {
    const left = fluxObject(
      { metadata: { name: "window-old", namespace: "flux-system" }, spec: { suspend: true } },
      "GitRepository",
    );
    expect(removedWindows(cluster, [left, source(true, "2026-11-28T02:50:00Z")])).toEqual([
      {
        text: "window-old is left of a window that the fleet file no longer has",
        next: "kubectl delete gitrepository window-old --namespace flux-system",
      },
    ]);
  });
});
