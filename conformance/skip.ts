/** Why a check says nothing about this node. */
export class Skip extends Error {}
