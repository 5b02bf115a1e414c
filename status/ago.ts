/** How long ago a time was, for people: `now`, `40s`, `5m`, `3h`, `2d`; empty for none. */
export function ago(time: string | undefined, now: Date): string {
  if (time === undefined) return "";
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(time)) / 1000));
  if (Number.isNaN(seconds)) return "";
  if (seconds < 2) return "now";
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)}h` : `${Math.round(seconds / 86_400)}d`;
}
