import { InvalidArgumentError } from "commander";

const form =
  "write a time such as 2026-11-03 10:00 (of this machine's zone), 2026-11-03T10:00Z or 2026-11-03T10:00+01:00";

/** A time; without a zone it is that of this machine, and a day alone is its first minute. */
export function anyTime(text: string): Date {
  const [, day, clock = "00:00", zone = ""] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?(Z|[+-]\d{2}:\d{2})?$/.exec(text.trim()) ?? [];
  const time = new Date(day === undefined ? NaN : `${day}T${clock}${zone}`);
  // 2026-02-30 would become the second of March.
  if (Number.isNaN(time.getTime()) || new Date(`${day}T00:00Z`).toISOString().slice(0, 10) !== day)
    throw new InvalidArgumentError(`It is not a time; ${form}.`);
  return time;
}

/** A time that has been. */
export function pastTime(text: string): Date {
  const time = anyTime(text);
  if (time.getTime() > Date.now())
    throw new InvalidArgumentError("It is in the future; ask for a time that has been.");
  return time;
}

/** `30d` or `12h` ago, or a time. */
export function sinceTime(text: string): Date {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(text.trim()) ?? [];
  if (count === undefined) return pastTime(text);
  return new Date(Date.now() - Number(count) * (unit === "d" ? 86_400_000 : 3_600_000));
}

/** `2026-11-03 10:00 +01:00`, in this machine's zone. */
export function clockText(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "an unknown time";
  const ahead = -time.getTimezoneOffset();
  const local = new Date(time.getTime() + ahead * 60_000).toISOString();
  const two = (value: number): string => String(value).padStart(2, "0");
  const zone =
    ahead === 0
      ? "UTC"
      : `${ahead < 0 ? "-" : "+"}${two(Math.floor(Math.abs(ahead) / 60))}:${two(Math.abs(ahead) % 60)}`;
  return `${local.slice(0, 10)} ${local.slice(11, 16)} ${zone}`;
}
