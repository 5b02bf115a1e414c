export { buildFields } from "./buildFields.ts";
export { openBuilder } from "./builder.ts";
export { normalFolder } from "./normalFolder.ts";
export { batches } from "./sourceReader.ts";
export { reachedFiles } from "./reachedFiles.ts";
export { sourceView, type ViewedSource } from "./sourceView.ts";
export type * from "./types.ts";
