/**
 * Opens a change request for a commit, once, and waits until it is approved.
 *
 *   node change-request.mjs COMMIT impact.json
 *
 * Speaks the Table API of ServiceNow; another system takes other paths and fields, and the same three questions.
 * CHANGE_URL: https://example.service-now.com. CHANGE_TOKEN: a bearer token. CHANGE_PATIENCE: seconds to wait, 3600 unless
 * said. CHANGE_INTERVAL: seconds between two looks, 30 unless said.
 *
 * Ends with 0 approved, 1 rejected or not to be asked, 4 not approved in time: run it again, it finds the same request.
 */
import { readFileSync } from "node:fs";

const [commit = "", impactFile = ""] = process.argv.slice(2);
const { CHANGE_URL: url = "", CHANGE_TOKEN: token = "" } = process.env;
const [patience, interval] = [seconds("CHANGE_PATIENCE", 3600), seconds("CHANGE_INTERVAL", 30)];
if (!/^[0-9a-f]{40,64}$/.test(commit) || impactFile === "" || url === "" || token === "") {
  console.error("Usage: CHANGE_URL=… CHANGE_TOKEN=… node change-request.mjs COMMIT impact.json");
  process.exit(2);
}
const table = `${url.replace(/\/+$/, "")}/api/now/table/change_request`;

try {
  const { stages, clusters, sets } = JSON.parse(readFileSync(impactFile, "utf8"));
  const production = stages.filter((stage) => stage.production).map(({ name }) => name);
  const request =
    (await find()) ??
    (await ask("POST", table, {
      correlation_id: commit,
      short_description: `${production.join(", ")}: ${sets.join(", ")} at ${commit.slice(0, 10)}`,
      description: `Reaches ${clusters.length} clusters: ${clusters.slice(0, 50).join(", ")}`,
      approval: "requested",
    }));
  console.log(`${request.number} is the change request of ${commit.slice(0, 10)}.`);
  process.exitCode = await decided();
} catch (error) {
  console.error(`The change request could not be asked: ${error.message}`);
  process.exitCode = 1;
}

/** The request of the commit; whoever opened it. */
async function find() {
  const query = new URLSearchParams({ sysparm_query: `correlation_id=${commit}`, sysparm_limit: "1" });
  return (await ask("GET", `${table}?${query}`))[0];
}

async function decided() {
  for (const end = Date.now() + patience * 1000; ;) {
    const { number, approval } = (await find()) ?? {};
    if (approval === "approved") return say(0, `${number} is approved.`);
    if (approval === "rejected") return say(1, `${number} is rejected.`);
    if (Date.now() >= end)
      return say(4, `${number} is not approved yet. Run the job again once it is: it finds this request.`);
    await new Promise((resolve) => setTimeout(resolve, interval * 1000));
  }
}

function say(code, line) {
  console.log(line);
  return code;
}

async function ask(method, address, body) {
  const answer = await fetch(address, {
    method,
    redirect: "error",
    signal: AbortSignal.timeout(30_000),
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      "content-type": "application/json",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${new URL(address).host} answers ${answer.status}`);
  return (await answer.json()).result;
}

function seconds(name, usual) {
  const value = Number(process.env[name] ?? usual);
  return Number.isFinite(value) && value >= 0 ? value : usual;
}
