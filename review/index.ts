/** What a pipeline says of a pull request: the only door to review/. */

export { annotations, codeQuality } from "./annotations.ts";
export { pipelineOf, type Pipeline } from "./pipeline.ts";
export { readPreview, type Preview, type Violation } from "./previewEvents.ts";
export { marker, reviewText, type Part, type Review } from "./reviewText.ts";
export { saidOnce } from "./saidOnce.ts";
export { violationFindings } from "./violationFindings.ts";
