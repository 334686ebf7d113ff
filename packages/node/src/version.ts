/** The version of this software, and of the interface it serves. */
export const VERSION = '0.13.1';
export const INTERFACE_VERSION = '0.13.1';
