/** Path prefixes of pages besides `/`. A test checks that none is a path of the node's API. */
export const PAGE_PREFIXES = [
  'agents',
  'blocks',
  'developers',
  'economy',
  'governance',
  'network',
  'run',
  'tokens',
  'transitions',
  'verify',
  'wallet',
  'work',
] as const;
