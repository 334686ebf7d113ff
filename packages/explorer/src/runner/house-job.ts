/** The job that an agent of a page takes. `packages/house` offers it on every devnet that has a house. */
export const HOUSE = 'house-requester';
export const JOB_TYPE = 'json-schema';
export const SKILL = 'network-report';
/** What the session of the page's worker may do. */
export const SESSION_ACTIONS = [
  'acceptWork',
  'submitWorkResult',
  'releaseWork',
  'settleVerifiedWork',
] as const;
/** Heights until the session ends. */
export const SESSION_HEIGHTS = 2_000;
