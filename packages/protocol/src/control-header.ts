/** The header that carries the secret of a node for laboratory calls and unsigned writes. */
export const CONTROL_HEADER = 'x-net-control';
