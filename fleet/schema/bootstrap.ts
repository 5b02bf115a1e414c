import { z } from "zod";
import { duration } from "../values.ts";
import { part } from "./fields.ts";

/* The one Kustomization that Azure knows. */

const seconds = duration({ least: 1, whole: true });
/** How often something is fetched or compared; nothing is gained below a minute, and the hosts pay for it. */
export const interval = duration({ least: 60, whole: true });

const fields = {
  interval: {
    schema: interval,
    says: "How often the flux folder is compared with the cluster; whole seconds.",
  },
  retryInterval: { schema: seconds, says: "How soon it is tried again after a failure; whole seconds." },
  timeout: { schema: seconds, says: "How long applying the flux folder may take; whole seconds." },
  prune: {
    schema: z.boolean(),
    says: "Whether a set that leaves the fleet file is deleted from the cluster.",
  },
  wait: { schema: z.boolean(), says: "Whether the bootstrap is ready only when every set is." },
  force: { schema: z.boolean(), says: "Whether an object is made anew when a change to it is refused." },
};

/** Of the whole fleet, with its defaults. */
export const bootstrap = z.strictObject({
  interval: fields.interval.schema.default("10m").meta({ description: fields.interval.says }),
  retryInterval: fields.retryInterval.schema.default("2m").meta({ description: fields.retryInterval.says }),
  timeout: fields.timeout.schema.default("5m").meta({ description: fields.timeout.says }),
  prune: fields.prune.schema.default(true).meta({ description: fields.prune.says }),
  wait: fields.wait.schema.default(false).meta({ description: fields.wait.says }),
  force: fields.force.schema.default(false).meta({ description: fields.force.says }),
});

/** Of a stage, a group or a cluster: what differs. */
export const layerBootstrap = z
  .strictObject({
    interval: part(fields.interval.schema, fields.interval.says),
    retryInterval: part(fields.retryInterval.schema, fields.retryInterval.says),
    timeout: part(fields.timeout.schema, fields.timeout.says),
    prune: part(fields.prune.schema, fields.prune.says),
    wait: part(fields.wait.schema, fields.wait.says),
    force: part(fields.force.schema, fields.force.says),
  })
  .meta({ id: "layerBootstrap" });
