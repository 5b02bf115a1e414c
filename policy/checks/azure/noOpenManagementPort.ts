import { asList, asMap, asText } from "../../../values/maps.ts";
import { resourcePolicy } from "../../azurePolicy.ts";
import type { PlainMap } from "../../plainValue.ts";
import { isNetworkSecurity } from "../../resourceTypes.ts";

const defaultPorts = [22, 3389, 5985, 5986, 6443, 10250];

/** Sources of a rule that are the whole internet; of a range, the bits that are given. */
const world = /^(\*|any|internet|0\.0\.0\.0|::)$/i;
const [fewBits, fewBits6] = [8, 16];

/** Protocols without ports. */
const portless = /^(icmp|ah|esp)$/i;

/** A device behind Arc needs no open port at all. */
export const noOpenManagementPort = resourcePolicy({
  name: "no-open-management-port",
  description: "No management port of a device is open to the internet.",
  why: "An open management port is tried by everybody within minutes; Arc needs outgoing connections alone.",
  configSchema: {
    properties: {
      ports: {
        type: "array",
        items: { type: "integer", minimum: 1, maximum: 65535 },
        default: defaultPorts,
        description: "Ports that are for management.",
      },
    },
  },
  of: isNetworkSecurity,
  checks: [
    ({ props, settings }) => {
      const ports = Array.isArray(settings["ports"]) ? (settings["ports"] as number[]) : defaultPorts;
      const rules = [props, ...asList(props["securityRules"]).map(asMap)].filter(isOpen);
      const open = rules.flatMap((rule) => {
        const held = ports.filter((port) => ranges(rule).some((range) => covers(range, port)));
        return held.length === 0
          ? []
          : [`rule '${asText(rule["name"] ?? rule["securityRuleName"]) ?? ""}' opens ${held.join(", ")}`];
      });
      if (open.length === 0) return undefined;
      return `${open.join("; ")} to the internet; narrow sourceAddressPrefix, or reach the device by az connectedk8s proxy.`;
    },
  ],
});

function isOpen(rule: PlainMap): boolean {
  const sources = [rule["sourceAddressPrefix"], ...asList(rule["sourceAddressPrefixes"])];
  return (
    String(rule["access"]).toLowerCase() === "allow" &&
    String(rule["direction"]).toLowerCase() === "inbound" &&
    !portless.test(String(rule["protocol"])) &&
    sources.some((source) => typeof source === "string" && isWorld(source.trim()))
  );
}

/** A range that half of the internet is in is no narrower than all of it. */
function isWorld(source: string): boolean {
  const [address = "", bits] = source.split("/");
  if (bits === undefined) return world.test(address);
  return Number(bits) < (address.includes(":") ? fewBits6 : fewBits);
}

function ranges(rule: PlainMap): string[] {
  return [rule["destinationPortRange"], ...asList(rule["destinationPortRanges"])].flatMap((range) =>
    range === undefined ? [] : String(range as string | number).split(","),
  );
}

/** Whether a range such as `*`, `22` or `20-25` holds a port. */
function covers(range: string, port: number): boolean {
  if (range.trim() === "*") return true;
  const [from = "", to = from] = range.split("-");
  return Number(from) <= port && port <= Number(to);
}
