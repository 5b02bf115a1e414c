import { writeFiles } from "../../git/index.ts";
import type { WriteRequest } from "../../git/index.ts";

// One writer in a process of its own: takes the request as JSON in its arguments, prints the result as JSON.
const [, , request = "{}", tempRoot = "", more = "{}"] = process.argv;
const result = await writeFiles(JSON.parse(request) as WriteRequest, {
  env: process.env,
  tempRoot,
  ...(JSON.parse(more) as object),
});
console.log(JSON.stringify(result));
