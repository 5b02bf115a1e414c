import type { Host, PullRequest, PullRequestText } from "./host.ts";

/** The one open pull request from the side branch into the base: the one that is there, brought up to date, or a new one. */
export async function openOrUpdate(
  host: Host,
  side: string,
  base: string,
  text: PullRequestText,
): Promise<PullRequest | undefined> {
  for (let tries = 0; ; tries++) {
    const found = await host.find(side, base);
    if (found?.state === "open") {
      const same = found.title === text.title && found.description === text.description;
      return same ? found : host.update(found.number, text);
    }
    const opened = await host.open(side, base, text);
    // Someone opened one in between: it is found now.
    if (opened !== undefined || tries > 0) return opened;
  }
}
