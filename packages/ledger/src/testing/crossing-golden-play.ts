/** A chain that crosses to version 2 of the rules by a release, in the middle of everything. */
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { hashOfDigit, workOrderOf } from '@netd/protocol/testing';
import type { WorkVote } from '../actions/work/records.ts';
import { accepted } from './expectations.ts';
import { BUILD_HASH } from './contributions.ts';
import { scheduleOf } from './rules.ts';
import { SecondCast } from './second-cast.ts';
import { OPERATOR, type TestChain } from './test-chain.ts';
import { committeeOf, resultOf, vote } from './work.ts';

/** Blocks of 100 ms that the orders need before the crossing. */
const PREPARATION = 60;

/** Orders at the crossing by their phase, and how they end under version 1. */
export const CROSSING_ORDERS = {
  open: { phase: 'OPEN', reason: null },
  unwanted: { phase: 'OPEN', reason: 'ACCEPTANCE_TIMEOUT' },
  accepted: { phase: 'ACCEPTED', reason: null },
  forgotten: { phase: 'ACCEPTED', reason: 'CANCELLED' },
  drawing: { phase: 'DRAWING', reason: 'VERIFICATION_REJECTED' },
  reviewed: { phase: 'REVIEW', reason: 'SCOPE_UNJUDGEABLE' },
  unjudged: { phase: 'REVIEW', reason: 'UNVERIFIED' },
  verified: { phase: 'VERIFIED', reason: null },
  disputed: { phase: 'DISPUTED', reason: 'DISPUTE_UPHELD' },
  unresolved: { phase: 'DISPUTED', reason: null },
  ended: { phase: 'ENDED', reason: null },
} as const;
const orderOf = (name: string): string => `crossing-${name}`;

export type Scene = (chain: TestChain) => void;

/**
 * @param before played under version 1; they record the release r-1
 * @param after played by a second cast under version 2
 */
export function playCrossing(
  chain: TestChain,
  before: readonly Scene[],
  after: readonly Scene[],
): TestChain {
  for (const scene of before) scene(chain);
  const height = chain.height + PREPARATION;
  const release = { artifactHash: BUILD_HASH, height, releaseId: 'r-1' };
  chain.does('bob', 'scheduleRules', scheduleOf(chain, release));
  beginOrders(chain);
  while (chain.height < height - 2) chain.block([]);
  // Delivered in the last block of version 1, and drawn in the first of version 2.
  chain.does('bob', 'submitWorkResult', resultOf(orderOf('drawing'))).block([]);
  endOrders(chain);
  for (const verifierId of ['vera', 'vito', 'viki']) {
    chain.does(verifierId, 'resignRole', { actorId: verifierId, role: 'VERIFIER' });
  }
  const second = SecondCast.of(chain);
  for (const scene of after) scene(second);
  return second;
}

/** Leaves an order in every phase. */
function beginOrders(chain: TestChain): void {
  const each = (
    names: readonly string[],
    actorId: string,
    action: string,
    payloadOf: (orderId: string) => JsonObject = (orderId) => ({ orderId }),
  ): void => {
    const intents = names.map((name) => chain.intent(actorId, action, payloadOf(orderOf(name))));
    chain.block(intents).forEach(accepted);
  };
  chain.fund('alice', 200 * UNET_PER_NET);
  const names = Object.keys(CROSSING_ORDERS);
  each(names, 'alice', 'createWorkOrder', (orderId) => workOrderOf(orderId));
  const taken = names.filter((name) => !['open', 'unwanted'].includes(name));
  each(taken, 'bob', 'acceptWork', (orderId) => ({ orderId, agentId: 'bob' }));
  const delivered = taken.filter((name) => !['accepted', 'forgotten', 'drawing'].includes(name));
  each(delivered, 'bob', 'submitWorkResult', (orderId) => resultOf(orderId));
  chain.block([]);
  for (const name of ['verified', 'disputed', 'unresolved', 'ended']) judged(chain, name, 'ACCEPT');
  each(['disputed', 'unresolved'], 'alice', 'openDispute', disputeOf);
  chain.block([], 1_000);
  each(['ended'], 'bob', 'settleVerifiedWork');
}

/** Lets every order of version 1 end, in each way that version 1 has. */
function endOrders(chain: TestChain): void {
  chain.does('bob', 'acceptWork', { orderId: orderOf('open'), agentId: 'bob' });
  for (const name of ['open', 'accepted']) {
    chain.does('bob', 'submitWorkResult', resultOf(orderOf(name))).block([]);
    judged(chain, name, 'ACCEPT');
  }
  judged(chain, 'drawing', 'REJECT');
  judged(chain, 'reviewed', 'UNJUDGEABLE');
  const resolution = { outcome: 'REJECTED', reasonHash: hashOfDigit('7') };
  chain.does(OPERATOR, 'resolveDispute', { orderId: orderOf('disputed'), ...resolution });
  const isOpen = (name: string): boolean => chain.record('order', orderOf(name))?.phase === 'OPEN';
  while (!isOpen('forgotten')) chain.block([], 1_000);
  chain.does('alice', 'cancelWorkOrder', { orderId: orderOf('forgotten') });
  const isOver = (name: string): boolean => chain.record('order', orderOf(name))?.phase === 'ENDED';
  while (!Object.keys(CROSSING_ORDERS).every(isOver)) chain.block([], 2_000);
}

const disputeOf = (orderId: string): JsonObject => ({ orderId, reasonHash: hashOfDigit('f') });

function judged(chain: TestChain, name: string, verdict: WorkVote['vote']): void {
  const orderId = orderOf(name);
  for (const verifierId of committeeOf(chain, orderId).slice(0, 2)) {
    accepted(vote(chain, verifierId, verdict, orderId));
  }
}
