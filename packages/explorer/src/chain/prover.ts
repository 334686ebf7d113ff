import {
  type VerifiedAudit,
  type VerifiedBlock,
  VerifiedReader,
  type VerifiedState,
  type VerifiedTransition,
} from '@netd/sdk/core';
import type { Anchor } from './anchor-rules.ts';
import { client } from './client.ts';
import { shownHeight } from './live.ts';

export interface Proofs {
  state: VerifiedState;
  transition: VerifiedTransition;
  block: VerifiedBlock;
  /** The id has heights with commas between. */
  blocks: readonly VerifiedBlock[];
  order: VerifiedAudit;
  head: Head;
}

interface Head {
  height: number;
  /** Milliseconds since a recent proven block was made; null in a laboratory, whose operator sets its time. */
  age: number | null;
  /** The height on display when this check began, so the node must have had it. */
  shown: number;
}
export type ProofKind = keyof Proofs;

/** Milliseconds between two reads of a header for its time. */
const TIME_EVERY = 300_000;

let reader: VerifiedReader | null = null;
/** The last block whose header was read for its time; `at` is in milliseconds of this page. */
let timed: { at: number; height: number; made: number } | null = null;
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
    timed = null;
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
    case 'order':
      return reader.readWorkAudit(id);
    default:
      return proveHead(reader);
  }
}

async function proveHead(from: VerifiedReader): Promise<Head> {
  const shown = shownHeight();
  const { height, value } = await from.readState('chain/identity');
  if ((value as { laboratory?: unknown } | null)?.laboratory === true)
    return { height, age: null, shown };
  const now = performance.now();
  if (timed === null || now - timed.at > TIME_EVERY) {
    const { header } = await from.readHead();
    timed = { at: now, height: header.height, made: Date.parse(header.timestamp) };
  }
  // A higher block was made since then, or at least not before the next read tells.
  const made = height > timed.height ? timed.made + now - timed.at : timed.made;
  // The age differs at each check, so the page is drawn again although a node answers the same for ever.
  return { height, age: Date.now() - made, shown };
}
