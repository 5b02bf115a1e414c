/** A layout away from what others apply, as messages say it: in quotes, or YAML takes the braces for a map. */
export const otherFolder = '`layout: { cluster: "fleet/{cluster}" }`';
