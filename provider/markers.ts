/**
 * Marker values of Pulumi's wire format. `@pulumi/pulumi/provider` hands them to a provider as they are:
 * a secret, an output or an asset as an object with a signature, an unknown value as a fixed text.
 */

/** Key that holds the signature of a marker object. */
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** Text that stands for a value not known yet, in preview. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What a template string makes of an Output: never meant, and never to be written anywhere. */
export const outputWarning = "Calling [toString] on an [Output<T>] is not supported";

interface Marker {
  readonly signature: unknown;
  readonly value: unknown;
  readonly secret: boolean;
}

function asMarker(value: unknown): Marker | undefined {
  if (typeof value !== "object" || value === null || !(signatureKey in value)) return undefined;
  const marker = value as Record<string, unknown>;
  const signature = marker[signatureKey];
  return {
    signature,
    // An output marker without a value is one that is not known yet.
    value: signature === outputSignature && !("value" in marker) ? unknownValue : marker["value"],
    secret: signature === secretSignature || (signature === outputSignature && marker["secret"] === true),
  };
}

/** Whether the value is a secret, or a marker around one. */
export function isSecret(value: unknown): boolean {
  const marker = asMarker(value);
  return marker !== undefined && (marker.secret || isSecret(marker.value));
}

/** Whether there is a secret anywhere inside the value. */
export function containsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(containsSecret);
}

/** Whether the value itself is not known yet, also inside a secret or an output. */
export function isUnknown(value: unknown): boolean {
  if (value === unknownValue) return true;
  const marker = asMarker(value);
  return marker !== undefined && isUnknown(marker.value);
}

/** Whether something inside the value is not known yet. */
export function containsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(containsUnknown);
}

/** The value without output markers around it; a secret or an asset stays what it is. */
export function unwrapOutput(value: unknown): unknown {
  const marker = asMarker(value);
  return marker?.signature === outputSignature && !marker.secret ? unwrapOutput(marker.value) : value;
}

/** The value without output markers around it or anything inside it. A list becomes a map of its places. */
export function unwrapOutputs(value: unknown): unknown {
  const bare = unwrapOutput(value);
  if (typeof bare !== "object" || bare === null) return bare;
  return Object.fromEntries(Object.entries(bare).map(([key, inner]) => [key, unwrapOutputs(inner)]));
}

/** The value inside all markers, be it a secret: to be used, and never to be shown or kept. */
export function revealed(value: unknown): unknown {
  const marker = asMarker(value);
  return marker === undefined ? value : revealed(marker.value);
}
