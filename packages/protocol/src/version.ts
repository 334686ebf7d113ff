export const VERSION = '0.13.1';
export const INTERFACE_VERSION = '0.13.1';
/** Release day, as in the changelog. Chains begin around it, see data-dir.ts of the node. */
export const MADE_ON = '2026-11-22';
