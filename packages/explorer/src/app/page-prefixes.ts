/**
 * First path segments of all pages beside `/`. The node serves the page below each. None may be a path of its
 * interface, which a test of the node checks.
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
