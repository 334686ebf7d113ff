/** What tests of other packages may touch of the documents, beside their door. */
export { deadlineView } from './shared/deadline.ts';
export type { SignedRequest } from './shared/signed-request.ts';
