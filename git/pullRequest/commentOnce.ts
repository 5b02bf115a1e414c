import { GitError } from "../words/errors.ts";
import type { GitContext } from "../words/types.ts";
import { openHost } from "./openHost.ts";
import type { PlaceOptions } from "./place.ts";

/** One comment that is kept up to date. */
export interface CommentRequest extends PlaceOptions {
  /** Of the repository that the pull request is of. */
  readonly url: string;
  readonly number: number;
  /** The first line of the comment, by which it is found again. */
  readonly marker: string;
  readonly text: string;
}

/** A pull request with more comments than this many pages gets a second one, which is better than to look for ever. */
const mostPages = 30;

/** Says it once, however often it is asked: changes the comment that begins with the marker, or makes it. */
export async function commentOnce(
  { url, number, marker, text, ...options }: CommentRequest,
  context: GitContext,
): Promise<"made" | "changed" | "same"> {
  const host = await openHost(url, options, context);
  if (host === undefined)
    throw new GitError("invalid", `${url} is on no host whose pull requests can be written to.`);
  const body = `${marker}\n${text}`;
  for (let page = 1; page <= mostPages; page += 1) {
    const comments = await host.comments(number, page);
    const own = comments.find((comment) => comment.text.startsWith(marker));
    if (own?.text.replaceAll("\r\n", "\n").trimEnd() === body.trimEnd()) return "same";
    if (own !== undefined) {
      await host.say(number, body, own.id);
      return "changed";
    }
    if (comments.length === 0) break;
  }
  await host.say(number, body);
  return "made";
}
