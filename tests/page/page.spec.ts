import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageHtml, servePage } from "../../page/index.ts";
import { aBrowser } from "./aBrowser.ts";
import { newCommit, oldCommit, pageOf, twoStages } from "./aFleet.ts";

/* The page in a real browser, opened from disk as people open it. */

const evil = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>`;
const windows = [
  { name: "nightly", timeZone: "Europe/Berlin", open: false, until: "2026-11-30T00:00:00Z" },
  { name: "noon", timeZone: "Asia/Tokyo", open: true, until: "2026-11-29T07:00:00Z" },
  { name: "weekend", timeZone: "UTC", open: true, frozenUntil: "2027-01-07" },
];
const data = pageOf(twoStages(150), ({ name }, index) => {
  if (name === "prod-7") return { word: "failing", reason: `pos: ${evil}`, notes: [{ text: evil }] };
  if (name === "prod-8") return { idle: true, pos: "waiting for promotion", windows };
  if (index % 50 === 3) return { word: "offline", reason: "last heard of 3 days ago" };
  return {};
});

let folder = "";
let browser: Browser;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "arcflux-page-"));
  await writeFile(join(folder, "fleet.html"), await pageHtml(data));
  browser = await aBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The page at an address, with all that it asked for and complained of. */
async function open(hash = "", before?: (page: Page) => Promise<unknown>) {
  const page = await browser.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => complaints.push(message.text()));
  await before?.(page);
  await page.goto(`${pathToFileURL(join(folder, "fleet.html")).href}${hash}`);
  return { page, requests, complaints };
}

/** What an expression of the browser's own language gives there. */
const ask = async <T>(page: Page, expression: string): Promise<T> => (await page.evaluate(expression)) as T;
const texts = (page: Page, selector: string): Promise<string[]> =>
  ask(page, `[...document.querySelectorAll("${selector}")].map((one) => one.textContent)`);
const count = (page: Page, selector: string): Promise<number> =>
  ask(page, `document.querySelectorAll("${selector}").length`);
/** Cells of the tables, row by row. */
const cells = (page: Page): Promise<string[][]> =>
  ask(
    page,
    `[...document.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent))`,
  );
const hash = (page: Page): Promise<string> => ask(page, "decodeURIComponent(location.hash)");

describe("the fleet page", () => {
  it("shows every cluster in its group, asks nobody for anything, and keeps values text", async () => {
    const { page, requests, complaints } = await open();
    expect(await texts(page, "h2")).toEqual(["dev 147 of 150 ready", "prod 146 of 150 ready"]);
    expect(await count(page, "a.cell")).toBe(300);
    expect(await texts(page, ".states button")).toEqual(["Ffailing 1", "Ooffline 6", "ready 293"]);
    await page.goto(`${page.url().split("#")[0]}#cluster=prod-7`);
    await page.waitForSelector("dialog[open]");
    expect((await texts(page, "dialog .note")).join()).toContain(evil);
    expect(await count(page, "img")).toBe(0);
    expect(await page.title()).toBe("Arcflux fleet");
    expect(requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("filters by words, labels, states, sets and commits, and keeps that in the address", async () => {
    const { page } = await open();
    const shown = async () => (await texts(page, "#shown"))[0];
    /** Types a filter, and waits until so many clusters are shown. */
    const filter = async (text: string, count: number) => {
      await page.evaluate("document.querySelector('#q').value = ''");
      await page.type("#q", text);
      await page.waitForFunction(
        `document.querySelector("#shown").textContent === "${count} of 300 clusters"`,
      );
    };
    await filter("region=north", 100);
    expect(await hash(page)).toBe("#q=region=north");
    await filter("region=north stage:prod", 50);
    await filter("state:failing", 1);
    await filter("set:infrastructure state:failing", 0);
    await filter(`commit:${newCommit.slice(0, 8)}`, 150);
    await filter("3 days", 6);
    await page.evaluate("document.activeElement.blur(); location.hash = ''");
    await page.waitForFunction("document.querySelectorAll('a.cell').length === 300");
    await page.click("button.w-offline");
    await page.waitForFunction("document.querySelectorAll('a.cell').length === 6");
    expect([await shown(), await hash(page)]).toEqual(["6 of 300 clusters", "#q=state:offline"]);
    const again = await open("#q=state%3Aoffline&by=region");
    expect(await texts(again.page, "h2")).toEqual([
      "north 0 of 2 ready",
      "south 0 of 2 ready",
      "west 0 of 2 ready",
    ]);
  });

  it("is usable by keyboard: arrows between clusters, Enter opens, Escape comes back", async () => {
    const { page } = await open();
    const focused = () => ask<string>(page, "document.activeElement.getAttribute('aria-label')");
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("q");
    await page.focus("a.cell");
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe("dev-2: ready");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toMatch(/^dev-\d+: /);
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe("dev-2: ready");
    await page.keyboard.press("End");
    expect(await focused()).toBe("prod-150: ready");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("prod-150 ready");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog:not([open])");
    await page.waitForFunction("location.hash === ''");
    expect([await hash(page), await focused()]).toEqual(["", "prod-150: ready"]);
  });

  it("opens a cluster to its graph, sets, places in the fleet file and record", async () => {
    const { page } = await open("#cluster=dev-1");
    const rows = await cells(page);
    expect(rows[0]).toEqual(["infrastructure", "ready", "", "bbbbbbbb", "", "fleet.yaml:10"]);
    expect(rows[1]![5]).toBe("fleet.yaml:10");
    expect(rows[2]).toEqual([expect.stringContaining("2026"), "bbbbbbbb", "ready"]);
    const nodes = await ask<string[][]>(
      page,
      `[...document.querySelectorAll("svg.graph .node")].map((one) => [one.querySelector("text").textContent, one.getAttribute("transform")])`,
    );
    const column = (name: string) =>
      Number(/\((\d+) /.exec(nodes.find(([text]) => text === name)?.[1] ?? "")?.[1]);
    expect(column("infrastructure")).toBeGreaterThan(column("edge-config"));
    expect(column("pos")).toBeGreaterThan(column("infrastructure"));
    const prod = await open("#cluster=prod-1");
    expect(await texts(prod.page, "svg.graph .window text:first-of-type")).toEqual(["nightly"]);
  });

  it("says of a cluster that it is idle, what waits for promotion, and when its windows open", async () => {
    const { page, complaints } = await open();
    const label = (name: string) =>
      ask(page, `document.querySelector("a.cell[href*='cluster=${name}']").getAttribute("aria-label")`);
    expect([await label("prod-8"), await label("prod-9")]).toEqual(["prod-8: ready, idle", "prod-9: ready"]);
    const shut = await open("#cluster=prod-8");
    expect(await texts(shut.page, "dialog h2")).toEqual(["prod-8 ready idle"]);
    expect(await texts(shut.page, "dialog p")).toContain("Waits for promotion: pos.");
    const [, ...tables] = await ask<string[][][]>(
      shut.page,
      `[...document.querySelectorAll("dialog table")].map((table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.querySelector("time")?.dateTime ?? cell.textContent)))`,
    );
    expect(tables).toEqual([
      [
        ["Window", "Now", "Until", "Zone"],
        ["nightly", "shut", "2026-11-30T00:00:00Z", "Europe/Berlin"],
        ["noon", "open", "2026-11-29T07:00:00Z", "Asia/Tokyo"],
        ["weekend", "frozen until 2027-01-07", "", "UTC"],
      ],
    ]);
    const other = await open("#cluster=prod-9");
    expect(await texts(other.page, "dialog h2")).toEqual(["prod-9 ready"]);
    expect(await texts(other.page, "dialog caption")).not.toContain("Windows");
    expect((await texts(other.page, "dialog p")).join()).not.toContain("promotion");
    expect([...complaints, ...shut.complaints]).toEqual([]);
  });

  it("shows two stages by what differs, and which commit is where", async () => {
    const { page } = await open("#view=stages");
    expect(await cells(page)).toEqual([
      ["set pos: interval", "5m", "10m"],
      ["set pos: window", "–", "nightly"],
    ]);
    await page.goto(`${page.url().split("#")[0]}#view=commits`);
    const rows = await cells(page);
    expect(rows.map(([id, , , what]) => [id, what])).toEqual([
      [newCommit.slice(0, 8), "pos 1.5.0"],
      [oldCommit.slice(0, 8), "pos 1.4.0"],
    ]);
    expect(rows[0]![4]).toMatch(/^update .* · runs on 150$/);
    expect(rows[1]![5]).toMatch(/^promotion .* · runs on 150$/);
  });

  it.each(["light", "dark"])("has nothing serious for axe, %s", async (scheme) => {
    const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    for (const address of ["", "#cluster=prod-7", "#view=stages", "#view=commits"]) {
      const { page } = await open(address, async (page) => {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        // The page allows no other program than its own.
        await page.setBypassCSP(true);
      });
      await page.addScriptTag({ path: axe });
      const { violations } = (await page.evaluate("axe.run()")) as {
        violations: { id: string; impact: string; nodes: { html: string }[] }[];
      };
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => [id, nodes[0]!.html])).toEqual([]);
      await page.close();
    }
  });

  it("prints the list without what nobody can press", async () => {
    const { page } = await open();
    await page.emulateMediaType("print");
    expect(await page.evaluate("getComputedStyle(document.querySelector('.bar')).display")).toBe("none");
    expect(
      Buffer.from(await page.pdf())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
  });

  it("served, shows what is newer, to this machine alone", async () => {
    let looks = 0;
    const served = await servePage(
      () => Promise.resolve({ ...data, clusters: data.clusters.slice(0, ++looks) }),
      {
        port: 0,
        refresh: 1,
      },
    );
    try {
      const page = await browser.newPage();
      await page.goto(served.url);
      expect(await count(page, "a.cell")).toBe(1);
      await page.waitForFunction("document.querySelectorAll('a.cell').length >= 2");
      const foreign = await new Promise((resolve, reject) => {
        get(`${served.url}data.json`, { headers: { host: "evil.example.com" } }, ({ statusCode }) =>
          resolve(statusCode),
        ).on("error", reject);
      });
      expect([foreign, (await fetch(served.url, { method: "POST" })).status]).toEqual([403, 403]);
    } finally {
      await served.close();
    }
  });
});
