/** The version of this software, and of the interface it serves. */
export const VERSION = '0.13.1';
export const INTERFACE_VERSION = '0.13.1';
/** The day on which this version was made: chains begin around it, see data-dir.ts of the node. The changelog says the same. */
export const MADE_ON = '2026-11-22';
