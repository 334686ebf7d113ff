import {
  type VerifiedAudit,
  type VerifiedBlock,
  VerifiedReader,
  type VerifiedState,
  type VerifiedTransition,
} from '@netd/sdk/core';
import type { Anchor } from './anchor-rules.ts';
import { client } from './client.ts';

export interface Proofs {
  state: VerifiedState;
  transition: VerifiedTransition;
  block: VerifiedBlock;
  /** The id has heights with commas between. */
  blocks: readonly VerifiedBlock[];
  order: VerifiedAudit;
}
export type ProofKind = keyof Proofs;

let reader: VerifiedReader | null = null;
let against = '';

/** @throws VerificationError if the proof is wrong, NetError without an answer */
export async function prove(
  anchor: Anchor,
  kind: ProofKind,
  id: string,
): Promise<Proofs[ProofKind]> {
  const { genesisHash } = anchor;
  if (reader === null || against !== genesisHash) {
    reader = new VerifiedReader(client, { genesisHash });
    against = genesisHash;
  }
  switch (kind) {
    case 'state':
      return reader.readState(id);
    case 'transition':
      return reader.readTransition(id);
    case 'block':
      return reader.readBlock(Number(id));
    case 'blocks':
      return reader.readBlocks(id.split(',').map(Number));
    default:
      return reader.readWorkAudit(id);
  }
}
