/** For tests of other packages. */
export type { ToolName } from './discovery/tools.ts';
export { GUIDES } from './guides.ts';
export type { ReadRequest, ReaderData } from './http/reader-worker.ts';
export { DOWNLOADS } from './downloads.ts';
