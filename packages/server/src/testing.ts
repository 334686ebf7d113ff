/** What tests of other packages may touch of the server, beside its door. */
export type { ToolName } from './discovery/tools.ts';
export { GUIDES } from './guides.ts';
export type { ReadRequest, ReaderData } from './http/reader-worker.ts';
export { DOWNLOADS } from './downloads.ts';
