import type { Check } from "./report.ts";

/** From so many days before its end on a token is warned of. */
const warnDays = 30;

/** A Git token that has ended, or will soon: an update would fail at the push, and clusters at the next fetch. */
export const checkExpiry: Check = ({ file, options: { today }, warn }) => {
  const { expires } = file.repository;
  if (today === undefined || expires === undefined) return;
  const days = Math.round((Date.parse(expires) - Date.parse(today)) / 86_400_000);
  if (days >= warnDays) return;
  const when = days < 0 ? "is past: the Git token has ended" : `is in ${days} days, when the Git token ends`;
  warn(["repository", "expires"], `${expires} ${when}; renew it, and write its new day`);
};
