import { writeFiles } from "../git/index.ts";
import type { WriteRequest } from "../git/index.ts";

// One write in a process of its own: takes the request as JSON, prints how long it took and the most memory it needed.
const [, , request = "{}"] = process.argv;
const start = process.hrtime.bigint();
const result = await writeFiles(JSON.parse(request) as WriteRequest, { env: process.env });
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
console.log(JSON.stringify({ kind: result.kind, seconds, kilobytes: process.resourceUsage().maxRSS }));
