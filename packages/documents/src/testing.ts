/** Exports for tests of other packages. */
export { deadlineView } from './shared/deadline.ts';
export type { SignedRequest } from './shared/signed-request.ts';
