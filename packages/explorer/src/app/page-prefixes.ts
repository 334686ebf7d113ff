/**
 * The first step of the path of every page beside `/`. The node serves the page below each of them, to browsers; none may be a
 * path of its interface, which a test of the node asks.
 */
export const PAGE_PREFIXES = [
  'agents',
  'blocks',
  'developers',
  'economy',
  'governance',
  'network',
  'tokens',
  'transitions',
  'verify',
  'wallet',
  'work',
] as const;
