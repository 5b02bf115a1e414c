import chromium from "@sparticuz/chromium";
import { type Browser, launch } from "puppeteer-core";

/** A real Chromium without a window. */
export async function aBrowser(): Promise<Browser> {
  return launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, "--disable-dev-shm-usage"],
    headless: "shell",
  });
}
