import { z } from "zod";
import { cronFault } from "../cron.ts";
import { timeZoneFault } from "../timeZone.ts";
import { faultless } from "../values.ts";
import { must } from "./fields.ts";

export const window = z
  .strictObject({
    open: must(
      faultless(cronFault),
      "When it opens: minute, hour, day, month, day of the week.",
      "0 1 * * *",
    ),
    close: must(faultless(cronFault), "When it closes, written the same way.", "0 4 * * *"),
    timeZone: must(
      faultless(timeZoneFault).default("Etc/UTC"),
      "Time zone of both, by its IANA name.",
      "Europe/Berlin",
    ),
  })
  .refine(({ open, close }) => open !== close, {
    error: "closes when it opens; write another time for one of them",
  })
  .meta({ id: "window" });
