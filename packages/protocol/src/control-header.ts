/** Header with a node's secret, for laboratory calls and unsigned writes. */
export const CONTROL_HEADER = 'x-net-control';
