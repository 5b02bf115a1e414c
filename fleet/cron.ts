const fields = [
  { name: "minute", least: 0, most: 59, words: [] },
  { name: "hour", least: 0, most: 23, words: [] },
  { name: "day", least: 1, most: 31, words: [] },
  { name: "month", least: 1, most: 12, words: "jan feb mar apr may jun jul aug sep oct nov dec".split(" ") },
  { name: "day of the week", least: 0, most: 6, words: "sun mon tue wed thu fri sat".split(" ") },
] as const;

/** Says why a CronJob of Kubernetes would not take a schedule, or undefined. */
export function cronFault(text: string): string | undefined {
  const parts = text.split(" ");
  if (text !== text.trim() || parts.length !== 5 || parts.includes("")) {
    return 'is no schedule; write five fields, each after one space: minute, hour, day, month, day of the week, such as "0 1 * * *"';
  }
  for (const [index, field] of fields.entries()) {
    const fault = parts[index]!.split(",")
      .map((range) => rangeFault(range, field))
      .find(Boolean);
    if (fault) return `has the ${field.name} ${JSON.stringify(parts[index])}, which ${fault}`;
  }
  return undefined;
}

function rangeFault(range: string, field: (typeof fields)[number]): string | undefined {
  const { least, most, words } = field;
  const match = /^(?:[*?]|([0-9a-z]+)(?:-([0-9a-z]+))?)(?:\/(\d{1,4}))?$/i.exec(range);
  if (!match) return "is no number, range, list, * or step";
  const [, first, last, step] = match;
  const number = (word: string) => {
    const index = (words as readonly string[]).indexOf(word.toLowerCase());
    return index >= 0 ? index + least : /^\d+$/.test(word) ? Number(word) : NaN;
  };
  const [from, to] = [first, last].map((word) => (word === undefined ? undefined : number(word)));
  for (const value of [from, to]) {
    if (value !== undefined && !(value >= least && value <= most)) return `is not from ${least} to ${most}`;
  }
  if (from !== undefined && to !== undefined && to < from) return "ends before it begins";
  if (step !== undefined && Number(step) === 0) return "has the step 0";
  return undefined;
}
