import type { Outcome, RuleError, Submission } from '@netd/ledger';
import type { Receipt } from '@netd/protocol';
import { duplicateError } from '../chain/api-error.ts';
import type { Chain } from '../chain/chain.ts';
import type { PendingEnvelope } from '../mempool/mempool.ts';
import type { BlockWrite } from '../store/store.ts';

export interface ExecutedEnvelope {
  pending: PendingEnvelope;
  outcome: Outcome;
}

/** @param block durable; null if all were refused, and the previous block is durable */
export function settleExecuted(
  executed: readonly ExecutedEnvelope[],
  block: BlockWrite | null,
  chain: Chain,
): void {
  for (const { pending, outcome } of executed) {
    if (!outcome.ok) {
      settleRefused(pending, outcome.refusal, chain);
    } else if (block) {
      const receipt = receiptOf(block, pending.submission, outcome);
      pending.settle({ status: 'committed', receipt });
    }
  }
}

export function settleUnavailable(envelopes: readonly PendingEnvelope[]): void {
  for (const { settle } of envelopes) settle({ status: 'unavailable' });
}

/** Answers with the receipt if an identical envelope was committed, whatever the reason of this refusal. */
function settleRefused(pending: PendingEnvelope, refusal: RuleError, chain: Chain): void {
  const { kind, encoded } = pending.submission;
  const receipt = chain.receipt(encoded.transitionHash);
  const answer = receipt ? duplicateError(kind) : refusal;
  pending.settle({ status: 'refused', refusal: answer, receipt });
}

function receiptOf(
  { header, certificate }: BlockWrite,
  { encoded }: Submission,
  { index, firstEvent, events }: Extract<Outcome, { ok: true }>,
): Receipt {
  const { height, stateRoot } = header;
  const { blockHash, certificateHash } = certificate;
  return {
    height,
    blockHash,
    stateRoot,
    transitionHash: encoded.transitionHash,
    index,
    certificateHash,
    events: events.map(({ type, data }, offset) => ({
      id: `${height}.${firstEvent + offset}`,
      type,
      data,
    })),
  };
}
