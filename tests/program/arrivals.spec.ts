import { expect, it } from "vitest";
import { againOf } from "../../program/arrivals.ts";
import { arrivalNotes, arrivalOf } from "../../status/index.ts";

const row = (toldAt: string | null) => ({ toldAt });
const now = Date.parse("2026-11-10T12:00:00Z");
const sent = (at: string) => ({ at, credential: "22222222", replaces: "11111111", again: 1 });

it.each([
  ["2026-11-10T11:00:00Z", "2026-11-10T11:00:01Z", "arrived", 1],
  ["2026-11-10T11:00:00Z", "2026-11-10T10:59:59Z", "under way", 1],
  ["2026-11-08T12:00:01Z", "2026-11-08T12:00:00Z", "under way", 1],
  ["2026-11-08T11:59:59Z", "2026-11-08T11:00:00Z", "dropped", 2],
  ["2026-11-01T00:00:00Z", null, "dropped", 2],
])("what was sent at %s, of a cluster that told last at %s, has %s", (at, toldAt, state, again) => {
  const arrival = arrivalOf(sent(at), row(toldAt), now);
  expect([arrival.state, againOf(arrival)]).toEqual([state, again]);
});

it("says nothing and sends nothing where nobody could look, or nothing was sent yet", () => {
  const unknown = [
    arrivalOf(sent("2026-11-01T00:00:00Z"), undefined, now),
    arrivalOf(undefined, row(null), now),
  ];
  expect(unknown.map(({ state }) => state)).toEqual(["unknown", "unknown"]);
  expect(unknown.map(againOf)).toEqual([1, 0]);
});

it("tells once for many clusters which credential has to stay valid", () => {
  const one = arrivalOf(sent("2026-11-10T11:00:00Z"), row(null), now);
  const names = ["store-1", "store-2", "store-3", "store-4", "store-5"];
  expect(arrivalNotes(new Map(names.map((name) => [name, one])))).toEqual([
    "store-1, store-2, store-3 and 2 more: credential 22222222, sent 2026-11-10, has not arrived. Keep 11111111 valid at the Git host until it has.",
  ]);
});
