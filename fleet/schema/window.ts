import { z } from "zod";
import { cronFault } from "../cron.ts";
import { rules } from "../rules.ts";
import { timeZoneFault } from "../timeZone.ts";
import { date, duration, faultless, named, sentence, text } from "../values.ts";
import { matchLabels } from "./alert.ts";
import { must, part } from "./fields.ts";

/** A zone, or the attribute of a cluster that names it; checks/windows.ts looks at what the attribute says. */
const timeZone = () =>
  faultless((value) =>
    new RegExp(`^\\{${rules.attributeName.pattern.source.slice(1, -1)}\\}$`).test(value)
      ? undefined
      : timeZoneFault(value),
  );

const times = {
  open: part(
    faultless(cronFault),
    "When it opens: minute, hour, day, month, day of the week. Minutes are multiples of ten.",
    "0 1 * * *",
  ),
  close: part(faultless(cronFault), "When it closes, written the same way; or write duration.", "0 4 * * *"),
  duration: part(duration(), "How long it stays open, a day at most; or write close.", "3h"),
};

const opening = z.strictObject({
  for: must(duration(), "How long, in steps of ten minutes.", "30m"),
  reason: must(sentence(), "Why, for whoever comes next.", "INC-4711"),
  stages: part(z.array(z.string()), "Stages of the clusters. Default: all stages.", ["prod"]),
  match: part(matchLabels, "Labels of the clusters. Default: all clusters.", { region: "north" }),
  clusters: part(z.array(z.string()), "Clusters by name. Default: all clusters.", ["store-001"]),
});
export type DatedOpening = z.output<typeof opening>;

/** checks/windows.ts looks at what open, close and duration say together. */
export const window = z
  .strictObject({
    ...times,
    spans: part(
      z
        .array(
          z.strictObject({
            ...times,
            timeZone: part(timeZone(), "Time zone of this span. Default: that of the window."),
          }),
        )
        .min(1, { error: "is empty; write a span with open and close, or open and duration" }),
      "Several times at which it is open, in the place of one open and close.",
      [
        { open: "0 1 * * 1-5", duration: "2h" },
        { open: "0 22 * * 6", duration: "8h" },
      ],
    ),
    timeZone: must(
      timeZone().default("Etc/UTC"),
      "Time zone, by its IANA name or from an attribute of the cluster, such as {tz}.",
      "Europe/Berlin",
    ),
    settle: part(
      duration(),
      "How long before the end the last fetch is. Default: the longest timeout of its sets.",
      "15m",
    ),
    match: part(matchLabels, "Labels of the clusters that have the window. Default: all clusters.", {
      kind: "store",
    }),
    openings: part(
      named(rules.openingTime, opening),
      "Openings once, by hand, by the time at which they begin; each is over with an update after it.",
      { "2026-12-01T10:00Z": { for: "30m", reason: "INC-4711", stages: ["prod"] } },
    ),
  })
  .meta({ id: "window" });
export type WindowEntry = z.output<typeof window>;

const image =
  /^(?=.{1,500}$)[A-Za-z0-9][-.A-Za-z0-9]*(:\d+)?(\/[-._a-z0-9]+)*(:[\w][-.\w]{0,127}|@sha256:[0-9a-f]{64}|:[\w][-.\w]{0,127}@sha256:[0-9a-f]{64})$/;

/** What the jobs of windows need to run. */
export const windowJobs = z
  .strictObject({
    image: part(
      text({
        pattern: image,
        allowed: "write an image with a tag or digest, such as registry.k8s.io/kubectl:v1.34.1",
      }),
      "Image with kubectl, without a shell is enough. Default: registry.k8s.io/kubectl:v1.34.1.",
      "registry.plant.example/mirror/kubectl:v1.34.1",
    ),
    pullSecret: part(text(rules.objectName), "Secret in flux-system that the image is pulled with."),
    tolerations: part(z.array(z.record(z.string(), z.unknown())), "Tolerations of the pods.", [
      { operator: "Exists" },
    ]),
    nodeSelector: part(z.record(z.string(), z.string()), "Labels of nodes that the pods run on."),
    resources: part(z.record(z.string(), z.unknown()), "Resources of each container.", {
      requests: { cpu: "10m", memory: "32Mi" },
    }),
  })
  .meta({ id: "windowJobs" });
/** A time without changes. Cron knows no years, so it begins and ends with an update. */
export const freeze = z
  .strictObject({
    from: must(date(), "First day.", "2026-12-18"),
    until: must(date(), "Last day.", "2027-01-06"),
    match: part(matchLabels, "Labels of the clusters. Default: all clusters.", { kind: "store" }),
    stages: part(z.array(z.string()), "Stages of the clusters. Default: all stages.", ["prod"]),
    reason: must(sentence(), "Why, for whoever comes next.", "Christmas trade"),
    liveSets: must(
      z.boolean().default(false),
      "Whether updates of the clusters stop too. Otherwise only their windows stay shut.",
    ),
  })
  .meta({ id: "freeze" });
export type FreezeEntry = z.output<typeof freeze>;
