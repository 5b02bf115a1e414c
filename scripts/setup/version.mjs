/** The first MAJOR.MINOR[.PATCH] in a text, as numbers; undefined when there is none. */
export function parseVersion(text) {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** Whether version `text` is `minimum` or newer. A text without a version is not. */
export function atLeast(text, minimum) {
  const have = parseVersion(text);
  const need = parseVersion(minimum);
  if (have === undefined || need === undefined) return false;
  for (let i = 0; i < 3; i++) if (have[i] !== need[i]) return have[i] > need[i];
  return true;
}
