/** Beside `/`. The node serves the page below each. A test of the node checks that none is a path of its interface. */
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
