import { describe, expect, it } from "vitest";
import { fluxObject } from "../../status/fluxObject.ts";
import { windowNotes } from "../../status/judge/windowNotes.ts";
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
const texts = (...args: Parameters<typeof source>) =>
  windowNotes(cluster, [source(...args)], noon).map(({ text }) => text);

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
    expect(windowNotes({ ...cluster, freeze }, [source(true, "2026-11-01T00:00:00Z")], noon)).toEqual([]);
    const untold = fluxObject(
      { metadata: { name: "window-nightly", namespace: "flux-system" }, spec: { suspend: true } },
      "GitRepository",
    );
    expect(windowNotes(cluster, [untold], noon)).toEqual([]);
    expect(windowNotes(cluster, [], noon)).toEqual([]);
  });
});
