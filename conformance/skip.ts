/** The reason for which a check cannot judge this node. */
export class Skip extends Error {}
