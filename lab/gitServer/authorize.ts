import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isFetch } from "./target.ts";
import type { Target } from "./target.ts";

/** Who may do what: without a token everyone may do everything. */
export interface AccessRules {
  readonly token: string | undefined;
  /** A token that fetching takes as well, and pushing does not. */
  readonly readToken?: string | undefined;
  /** Whether fetching needs no token. Pushing always does. */
  readonly anonymousRead: boolean;
}

/** Whether a request may go on. Any user name will do; the password is the token. */
export function isAllowed(request: IncomingMessage, target: Target, rules: AccessRules): boolean {
  if (rules.token === undefined) return true;
  if (rules.anonymousRead && isFetch(target)) return true;
  const [, encoded = ""] = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.headers.authorization ?? "") ?? [];
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  if (password === undefined) return false;
  const mayRead = rules.readToken !== undefined && isFetch(target) && same(password, rules.readToken);
  return mayRead || same(password, rules.token);
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
