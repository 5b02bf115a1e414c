/** The shortest prefix that still means somebody: a whole /16 has 65,536 addresses. */
const shortest = 16;

/** What is wrong with a range of IPv4 addresses that may come in; undefined when nothing is. */
export function cidrFault(value: string): string | undefined {
  const [, address = "", prefix] = /^([\d.]+)(?:\/(\d{1,2}))?$/.exec(value) ?? [];
  const parts = address.split(".");
  const isAddress = parts.length === 4 && parts.every((one) => /^(0|[1-9]\d{0,2})$/.test(one) && +one < 256);
  if (!isAddress || (prefix !== undefined && +prefix > 32))
    return "is not a range of IPv4 addresses; write address and prefix, such as 203.0.113.7/32";
  if (prefix === undefined) return `has no prefix; for this address alone write ${address}/32`;
  if (+prefix < shortest)
    return `lets too many in; write your own address, such as 203.0.113.7/32, or a prefix of /${shortest} or longer`;
  return undefined;
}
