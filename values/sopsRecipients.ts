import { asList, asMap, asText } from "./maps.ts";

/** The keys of age that an object or file of SOPS can be read with; none where it is not encrypted. */
export function sopsRecipients(value: unknown): string[] {
  return asList(asMap(asMap(value)["sops"])["age"]).flatMap(
    (entry) => asText(asMap(entry)["recipient"]) ?? [],
  );
}
