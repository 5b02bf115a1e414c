import { writeFiles } from "../git/index.ts";
import type { WriteRequest } from "../git/index.ts";

// One write in a process of its own: takes the request as JSON, prints what came of it and the most memory it needed.
const [, , request = "{}"] = process.argv;
const result = await writeFiles(JSON.parse(request) as WriteRequest, { env: process.env });
console.log(JSON.stringify({ kind: result.kind, kilobytes: process.resourceUsage().maxRSS }));
