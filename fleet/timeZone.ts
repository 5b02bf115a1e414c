/** Says why a CronJob of Kubernetes would not take a time zone, or undefined. */
export function timeZoneFault(name: string): string | undefined {
  const known = /^[A-Za-z][-+_A-Za-z0-9/]*$/.test(name) && name !== "Local" ? found(name) : undefined;
  if (known === undefined) return "is not a time zone; write its IANA name, such as Europe/Berlin or Etc/UTC";
  // JavaScript does not care for upper and lower case; the files that Kubernetes reads do.
  if (known !== name && known.toLowerCase() === name.toLowerCase()) return `is spelled ${known}; write that`;
  return undefined;
}

function found(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
