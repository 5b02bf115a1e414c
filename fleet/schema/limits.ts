import { z } from "zod";
import { part } from "./fields.ts";

/** What may happen at once. */
export const limits = z
  .strictObject({
    clustersPerUpdate: part(
      z.int().min(1),
      "How many clusters one update or promotion may reach, unless it goes by rings or says why. Default: all.",
      50,
    ),
  })
  .meta({ id: "limits" });
