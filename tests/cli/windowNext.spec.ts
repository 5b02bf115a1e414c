import { expect, it } from "vitest";
import { workFolder } from "./workFolder.ts";

const { save, run } = workFolder();

const aDay = 24 * 60 * 60_000;
const dayIn = (days: number) => new Date(Date.now() + days * aDay).toISOString().slice(0, 10);

it("window next leaves out what a freeze keeps shut", async () => {
  const [today, until, first, second] = [dayIn(0), dayIn(20), dayIn(21), dayIn(22)];
  await save(`apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
windows:
  nightly: { open: "0 1 * * *", close: "0 4 * * *", timeZone: Etc/UTC }
  late: { open: "0 22 * * *", close: "0 2 * * *", timeZone: Etc/UTC }
freezes: { xmas: { from: ${today}, until: ${until}, reason: Trade } }
sets: { pos: { path: ./apps/pos, window: nightly }, web: { path: ./apps/web, window: late } }
groups: { all: { match: {}, sets: { pos: {}, web: {} } } }
clusters: { store-1: {} }
`);
  const { code, out } = await run("window next --count 2 --json");
  const { windows } = JSON.parse(out) as {
    windows: { name: string; openings: { opens: string; closes: string }[] }[];
  };
  expect([code, Object.fromEntries(windows.map(({ name, openings }) => [name, openings]))]).toEqual([
    0,
    {
      nightly: [first, second].map((day) => ({
        opens: `${day}T01:00:00.000Z`,
        closes: `${day}T04:00:00.000Z`,
      })),
      // The night from the last day of the freeze to the next begins inside.
      late: [
        { opens: `${first}T22:00:00.000Z`, closes: `${second}T02:00:00.000Z` },
        { opens: `${second}T22:00:00.000Z`, closes: `${dayIn(23)}T02:00:00.000Z` },
      ],
    },
  ]);
  expect((await run("window next --count 1")).out).toMatch(
    new RegExp(`frozen until ${until}: xmas, Trade\\n  \\w{3} ${first} 01:00 to`),
  );
});
