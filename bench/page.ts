import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "puppeteer-core";
import { pageHtml } from "../page/index.ts";
import { aBrowser } from "../tests/page/aBrowser.ts";
import { pageOf, twoStages } from "../tests/page/aFleet.ts";
import { median } from "./measure.ts";

/** What somebody waits for: until something is there, and the longest time in which no key is taken. In milliseconds. */
interface Felt {
  readonly paint: number;
  readonly longest: number;
}

const rounds = 5;

/** The fleet page of so many clusters, beside an empty page in the same browser. */
export async function benchPage(clusters: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "arcflux-bench-page-"));
  const browser = await aBrowser();
  try {
    const html = await pageHtml(
      pageOf(twoStages(clusters / 2), (_, index) =>
        index % 30 === 0 ? { word: "failing", reason: "pos: not ready" } : {},
      ),
    );
    await writeFile(join(folder, "fleet.html"), html);
    await writeFile(join(folder, "empty.html"), "<!doctype html><title>empty</title><p>empty</p>");
    const [page, empty] = [[], []] as [Felt[], Felt[]];
    for (let round = 0; round < rounds; round++) {
      empty.push(await feltOf(browser, join(folder, "empty.html")));
      page.push(await feltOf(browser, join(folder, "fleet.html")));
    }
    const [own, floor] = [page, empty].map(middle) as [Felt, Felt];
    return [
      `page-${clusters}: ${(html.length / 1e6).toFixed(1)} MB, first paint ${own.paint.toFixed(0)} ms`,
      `(empty page ${floor.paint.toFixed(0)} ms, ratio ${(own.paint / floor.paint).toFixed(1)}),`,
      `longest task ${own.longest.toFixed(0)} ms at the start and with a filter typed.`,
    ].join(" ");
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function feltOf(browser: Browser, file: string): Promise<Felt> {
  const page = await browser.newPage();
  try {
    await page.evaluateOnNewDocument(`
      globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
      }).observe({ type: "longtask", buffered: true });`);
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0");
    if ((await page.$("#q")) !== null) {
      await page.type("#q", "state:failing");
      await page.waitForFunction("document.querySelectorAll('a.cell').length < 200");
    }
    return (await page.evaluate(
      "({ paint: performance.getEntriesByName('first-contentful-paint')[0].startTime, longest: globalThis.longest })",
    )) as Felt;
  } finally {
    await page.close();
  }
}

function middle(all: readonly Felt[]): Felt {
  return { paint: median(all.map(({ paint }) => paint)), longest: median(all.map(({ longest }) => longest)) };
}
