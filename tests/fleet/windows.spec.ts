import { describe, expect, it } from "vitest";
import { formatFinding } from "../../fleet/finding.ts";
import { loadFleet } from "../../fleet/load.ts";
import { fleetText, findingsOf, mustLoad } from "./fixture.ts";

const windows = `windows:
  nightly: { open: 0 1 * * *, close: 0 4 * * *, timeZone: Europe/Berlin }
  weekly: { open: 0 1 * * 6, duration: 3h }`;
const problems = (cluster: string, top = windows) => findingsOf(fleetText({ cluster, top }));
const cluster = (text: string) => mustLoad(text).clusters[0]!;
const pulses = (declaration: string, sets = "sets: { a: { window: w } }") =>
  cluster(fleetText({ top: `windows: { w: ${declaration} }`, cluster: sets })).windows[0]!.pulses.map(
    ({ schedule }) => schedule,
  );

describe("a window", () => {
  it.each([
    ["{ open: 0 1 * * *, close: 0 4 * * * }", ["*/10 1-3 * * *"]],
    ["{ open: 0 1 * * 1-5, duration: 2h }", ["*/10 1-2 * * 1-5"]],
    ["{ open: 30 22 * * *, duration: 7h30m }", ["*/10 0-5,23 * * *", "30-50/10 22 * * *"]],
    // Saturday evening until Sunday morning.
    ["{ open: 0 22 * * 6, close: 0 6 * * 0 }", ["*/10 0-5 * * 0", "*/10 22-23 * * 6"]],
    ["{ open: '0 23 1,15 * *', duration: 2h }", ["*/10 0 2,16 * *", "*/10 23 1,15 * *"]],
    ["{ open: 0 0 * * 6, duration: 24h }", ["*/10 * * * 6"]],
    ["{ open: '0 1,13 * * *', duration: 1h }", ["*/10 1,13 * * *"]],
    // The last fetch is 30 minutes before it closes, at 1:30.
    ["{ open: 0 1 * * *, duration: 1h, settle: 30m }", ["0-30/10 1 * * *"]],
    [
      "{ spans: [{ open: 0 1 * * 1-5, duration: 1h }, { open: 0 1 * * 0, duration: 1h }] }",
      ["*/10 1 * * 0-5"],
    ],
  ])("%s fetches at %j", (declaration, schedules) => {
    expect(pulses(declaration)).toEqual(schedules);
  });

  it("fetches for the last time while its sets still have their longest timeout", () => {
    const sets = "sets: { a: { window: w, timeout: 8m }, b: { window: w, timeout: 25m, interval: 1h } }";
    expect(pulses("{ open: 0 1 * * *, duration: 1h }", sets)).toEqual(["0-30/10 1 * * *"]);
  });

  it("is of every cluster that it matches, with sets or without, so that the last one goes at an opening", () => {
    const text = (match: string, own = "") =>
      fleetText({
        top: `windows: { w: { open: 0 1 * * *, duration: 1h, match: { kind: ${match} } } }`,
        cluster: `labels: { kind: store }\n${own}`,
      });
    expect(cluster(text("store")).windows.map(({ name }) => name)).toEqual(["w"]);
    expect(cluster(text("plant")).windows).toEqual([]);
    expect(findingsOf(text("plant", "sets: { a: { window: w } }"))).toEqual([
      expect.stringMatching(
        /windows\.w\.match: leaves out clusters whose set a is in the window.*\(on edge-0\)/,
      ),
    ]);
  });

  it("is of all sets where defaults say so, and a set may be taken out", () => {
    const { sets } = cluster(
      fleetText({
        top: `${windows}\ndefaults: { window: nightly }\ngroups: { g: { match: {}, defaults: { window: weekly } } }`,
        cluster: "sets: { a: {}, b: { window: null }, c: { window: nightly } }",
      }),
    );
    expect(sets.map(({ window }) => window)).toEqual(["weekly", undefined, "nightly"]);
  });

  it("may be several, which together are one with the spans of all", () => {
    const { sets, windows: all } = cluster(
      fleetText({
        top: windows,
        cluster: "sets: { a: { window: [weekly, nightly] }, b: { window: nightly } }",
      }),
    );
    expect(sets.map(({ window }) => window)).toEqual(["nightly-weekly", "nightly"]);
    expect(all.map(({ name, pulses }) => [name, ...pulses.map(({ schedule }) => schedule)])).toEqual([
      ["nightly", "*/10 1-3 * * *"],
      ["nightly-weekly", "*/10 1-3 * * 6", "*/10 1-3 * * *"],
      ["weekly", "*/10 1-3 * * 6"],
    ]);
  });

  it("has the time zone of its cluster where an attribute names it", () => {
    const top = "windows: { w: { open: 0 1 * * *, duration: 1h, timeZone: '{tz}' } }";
    const zone = (tz: string) => fleetText({ top, cluster: `attributes: { tz: ${tz} }` });
    expect(cluster(zone("America/New_York")).windows[0]!.pulses[0]!.timeZone).toBe("America/New_York");
    expect(findingsOf(zone("Europe/Bonn"))).toEqual([
      expect.stringMatching(/windows\.w\.timeZone: "Europe\/Bonn" is not a time zone.*\(on edge-0\)/),
    ]);
    expect(findingsOf(fleetText({ top }))).toEqual([
      expect.stringMatching(
        /windows\.w\.timeZone: has the placeholder \{tz\}, and no attribute of that name/,
      ),
    ]);
  });
});

describe("times that are refused", () => {
  it.each([
    ["{ open: 60 1 * * *, duration: 1h }", "open: .*is not from 0 to 59"],
    ["{ open: '@daily', duration: 1h }", "open: .*is not a schedule"],
    ["{ open: 0 1 30 2 *, duration: 1h }", "open: .*never comes"],
    ["{ open: 5 1 * * *, duration: 1h }", "open: opens at 01:05; .* write 01:00 or 01:10"],
    ["{ open: 0 1 * * *, close: 0 1 * * * }", "close: closes when it opens"],
    ["{ open: 0 1 * * *, close: 55 3 * * * }", "close: closes at 03:55; .* write 03:50 or 04:00"],
    ["{ open: 0 1 * * * }", "w.open: needs close or duration|w: needs|open: needs close or duration"],
    ["{ open: 0 1 * * *, close: 0 4 * * *, duration: 3h }", "duration: stands beside close"],
    ["{ close: 0 4 * * * }", "w: is missing; write when it opens"],
    ["{ open: 0 1 * * *, duration: 25m }", "duration: is not a multiple of 10 minutes"],
    ["{ open: 0 1 * * *, duration: 25h }", "duration: is longer than a day"],
    ["{ open: 0 1 * * *, duration: 0s }", "duration: never opens"],
    [
      "{ open: 0 22 * * 5, close: 0 6 * * 1 }",
      'close: closes on other days than it opens: .* write "0 6 \\* \\* 6"',
    ],
    ["{ open: 0 22 31 * *, duration: 4h }", "open: goes over midnight"],
    [
      "{ open: 0 1 * * *, duration: 10m }",
      "",
      "timeout: 20m, interval: 1h",
      "is open 10 minutes, less than the 20",
    ],
    ["{ open: 0 1 * * *, close: 0 4 * * *, timeZone: Europe/Bonn }", "timeZone: .*is not a time zone"],
    [
      "{ open: 0 1 * * *, close: 0 4 * * *, timeZone: europe/berlin }",
      "timeZone: .*is spelled Europe/Berlin",
    ],
    [
      "{ open: 0 1 * * *, duration: 1h, spans: [{ open: 0 5 * * *, duration: 1h }] }",
      "spans: stands beside open",
    ],
  ])("%s", (declaration, fault, set = "", longer = "") => {
    const top = `windows: { w: ${declaration} }`;
    const found = findingsOf(fleetText({ top, cluster: `sets: { a: { window: w, ${set} } }` }));
    expect(found).toEqual([expect.stringMatching(new RegExp(fault || longer))]);
  });

  it("more than six CronJobs, with spans on full hours that do not need them", () => {
    const span = (hour: number, day: number) => `{ open: 30 ${hour} * * ${day}, duration: 1h }`;
    const spans = [span(1, 1), span(2, 2), span(3, 3)].join(", ");
    expect(findingsOf(fleetText({ top: `windows: { w: { spans: [${spans}] } }` }))).toEqual([
      expect.stringMatching(
        /windows\.w: needs 7 CronJobs, and has 6 at most; write spans on full hours, such as 01:00-03:00 on \* \* 1 Etc\/UTC/,
      ),
    ]);
  });

  it("warns of spans that meet, and of those that clocks jump over", () => {
    const found = (spans: string, today: string) =>
      loadFleet(
        fleetText({
          top: `windows: { w: { timeZone: Europe/Berlin, spans: [${spans}] } }`,
          cluster: "sets: { a: { window: w } }",
        }),
        "fleet.yaml",
        { today },
      ).findings.map(formatFinding);
    expect(
      found("{ open: 0 23 * * 5, duration: 3h }, { open: 0 1 * * 6, duration: 2h }", "2026-05-01"),
    ).toEqual([expect.stringMatching(/warning: windows\.w\.spans\[1\]: meets 23:00-02:00 on \* \* 5/)]);
    // 28 March 2027, a Sunday: from 1:59 straight to 3:00.
    expect(found("{ open: 0 2 * * *, duration: 1h }", "2026-11-01")).toEqual([
      expect.stringMatching(/02:00-03:00 does not exist in Europe\/Berlin on 2027-03-28/),
    ]);
    expect(found("{ open: 0 2 * * *, duration: 70m }", "2026-11-01")).toEqual([]);
  });
});

describe("a set in a window", () => {
  const sources = `${windows}
sources:
  fixed: { kind: GitRepository, url: self, ref: { tag: v1 } }
  same: { kind: GitRepository, url: self }
  other: { kind: GitRepository, url: self, ref: { branch: next } }
  charts: { kind: OCIRepository, url: oci://h/x }
  range: { kind: OCIRepository, url: oci://h/y, ref: { semver: 1.x } }
  bucket: { kind: Bucket, bucketName: b, endpoint: e }`;

  it.each([
    ["other", "other follows branch next at any time"],
    ["charts", "charts follows the tag latest at any time"],
    ["range", "range follows 1.x at any time"],
    ["bucket", "bucket follows its bucket at any time"],
  ])("cannot take from %s, which moves by itself", (source, fault) => {
    expect(problems(`sets: { a: { window: nightly, source: ${source} } }`, sources)).toEqual([
      expect.stringContaining(`clusters.edge-0.sets.a.source: ${fault}`),
    ]);
  });

  it.each(["fixed", "same"])("may take from %s", (source) => {
    expect(problems(`sets: { a: { window: nightly, source: ${source} } }`, sources)).toEqual([]);
  });

  it.each([
    [
      "sets: { a: { window: nightly }, b: { dependsOn: [a] } }",
      /sets\.b\.dependsOn\[0\]: a comes in its window/,
    ],
    [
      "sets: { a: { window: nightly, source: fixed }, b: { dependsOn: [a] } }",
      /edge-0\.sets\.b\.dependsOn\[0\]: a comes in its window nightly/,
    ],
    [
      "sets: { a: { window: nightly }, b: { window: weekly, dependsOn: [a] } }",
      /warning: .*sets\.b\.dependsOn\[0\]: a comes in its window nightly, and b in weekly/,
    ],
  ])("holds up what depends on it: %s", (text, fault) => {
    expect(problems(text, sources)).toEqual([expect.stringMatching(fault)]);
  });

  it.each([
    "sets: { a: { window: nightly }, b: { window: nightly, dependsOn: [a] } }",
    "sets: { a: {}, b: { window: nightly, dependsOn: [a] } }",
    "sets: { a: { window: nightly }, b: { dependsOn: [a], suspend: { reason: x } } }",
  ])("does not in %s", (text) => {
    expect(problems(text)).toEqual([]);
  });

  it("names a window that exists, in a list too, and none that other objects have the name of", () => {
    expect(problems("sets: { a: { window: nigthly } }")).toEqual([
      expect.stringMatching(/sets\.a\.window: "nigthly" is not a window .* Did you mean nightly\?/),
    ]);
    expect(problems("sets: { a: { window: [nightly, weeky] } }")).toEqual([
      expect.stringMatching(/sets\.a\.window\[1\]: "weeky" is not a window .* Did you mean weekly\?/),
    ]);
    expect(problems("", `windows: { ${"w".repeat(31)}: { open: 0 1 * * *, duration: 1h } }`)).toHaveLength(1);
    expect(problems("", "sources: { window-a: { kind: GitRepository, url: self } }")).toEqual([
      expect.stringContaining('sources.window-a: "window-a" is reserved'),
    ]);
    expect(problems("", "layout: { sets: windows }")).toEqual([
      expect.stringContaining("layout.sets: is where the sets of windows are written"),
    ]);
  });
});

describe("a freeze", () => {
  const on = (today: string, stage = "") =>
    loadFleet(
      fleetText({
        top: `${windows}
stages: { prod: { branch: main } }
freezes: { xmas: { from: 2026-12-18, until: 2027-01-06, match: { kind: store }, stages: [prod], reason: Trade } }`,
        cluster: `labels: { kind: store }\nsets: { a: { window: nightly }, b: { window: weekly } }\n${stage}`,
      }),
      "fleet.yaml",
      { today },
    );

  it.each([
    ["2026-12-17", "stage: prod", undefined],
    ["2026-12-18", "stage: prod", "xmas"],
    ["2027-01-06", "stage: prod", "xmas"],
    ["2026-12-24", "", undefined],
  ])("on %s with %j is %s", (today, stage, name) => {
    expect(on(today, stage).fleet!.clusters[0]!.freeze?.name).toBe(name);
  });

  it("that is over is warned of, and one that ends before it begins is refused", () => {
    expect(on("2027-01-07").findings.map(formatFinding)).toEqual([
      expect.stringMatching(/warning: freezes\.xmas: is over since 2027-01-06/),
    ]);
    expect(problems("", "freezes: { f: { from: 2026-12-18, until: 2026-12-01, reason: x } }")).toEqual([
      expect.stringContaining("freezes.f.until: is before 2026-12-18"),
    ]);
  });
});
