export { bootstrapKey, type Bootstrapped } from "./bootstrapKey.ts";
export { type ReadSecrets, isReadHere, placeText, readPlaces, readValues } from "./readValues.ts";
export { handWrittenFor, type ReadableFiles } from "./handWritten.ts";
export { arcIdentities, endIdentity, type Readable, readableBy } from "./revoke.ts";
export { secretObject, sealedFile, type Values, versionOf } from "./sealedFile.ts";
export { sealingKeyConfig, sealingKeyFault } from "./sealingKey.ts";
export { type ClusterVersion, versionsOf } from "./versions.ts";
export { sourceReader } from "./sources.ts";
