/** Whether a text can be the name of a cluster that the lab starts: a DNS label, since it is a folder's name too. */
export function isClusterName(name: string): boolean {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name);
}
