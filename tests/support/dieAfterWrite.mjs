import { subscribe } from "node:diagnostics_channel";

/*
 * Ends the process that it is loaded into (`node --import`) as a power cut does, once a server has answered its first write:
 * what it did is done, and it learns nothing of it.
 */

const die = (method) => {
  if (["PATCH", "PUT", "DELETE"].includes(method)) process.kill(process.pid, "SIGKILL");
};
subscribe("http.client.response.finish", ({ request }) => die(request.method));
subscribe("undici:request:headers", ({ request }) => die(request.method));
