/** Orders in any phase, with funded requesters and bonded verifiers. */
import { voteCommitment, type JsonObject, type ProtectiveDelay } from '@netd/protocol';
import { hashOfDigit, workOrderOf } from '@netd/protocol/testing';
import { classAccount, type AccountingClass } from '../accounting-classes.ts';
import { workStatsOf } from '../actions/work/order.ts';
import { putVerifier } from '../actions/operators/verifier-roster.ts';
import type { VerifierRecord } from '../actions/operators/records.ts';
import type { WorkOrderRecord, WorkVote } from '../actions/work/records.ts';
import { WORK_VOTES } from '../actions/work/validation-policy.ts';
import type { Outcome } from '../block-execution.ts';
import { StateOverlay } from '../state.ts';
import { standardChain } from './refusals/case.ts';
import { withRules } from './rules.ts';
import type { IntentOptions, TestChain } from './test-chain.ts';

export const VERIFIERS = ['vera', 'vito', 'viki', 'vlad', 'vroni'] as const;
export const BOND = 1_000_000;
/** 2 % of FUNDING, rounded up. */
export const FEE = 200_001;
const PURSE = 5_000_000_000;

/** Takes the money from the treasury. */
export function seedMoney(chain: TestChain, accountId: string, amount: number): void {
  const balance = (id: string): number => chain.record('account', id)?.balance ?? 0;
  const put = (id: string, value: number): void =>
    chain.ledger.seed('account', id, { accountId: id, balance: value, faucetReceived: 0 });
  put(classAccount('treasury'), balance(classAccount('treasury')) - amount);
  put(accountId, balance(accountId) + amount);
  const name = accountId === classAccount('bonds') ? 'bonds' : 'circulating';
  const supply = (id: AccountingClass): number => chain.record('supply', id) ?? 0;
  chain.ledger.seed('supply', 'treasury', supply('treasury') - amount);
  chain.ledger.seed('supply', name, supply(name) + amount);
}

export function seedVerifiedOrders(
  chain: TestChain,
  actorId: string,
  verifiedOrders: number,
): void {
  const stats = workStatsOf(new StateOverlay(chain.ledger), actorId);
  chain.ledger.seed('work-stats', actorId, { ...stats, verifiedOrders });
}

/** As a claim installs it. */
export function seedVerifier(
  chain: TestChain,
  actorId: string,
  members: Partial<VerifierRecord> = {},
): void {
  chain.seedAuthority(actorId, { roles: ['VERIFIER'], capabilities: [{ action: 'voteWork' }] });
  const state = new StateOverlay(chain.ledger);
  putVerifier(state, {
    actorId,
    bond: BOND,
    independenceGroup: `group-${actorId}`,
    bondedAtHeight: chain.height,
    installedAt: { height: 0, index: 0 },
    active: true,
    votesAccepted: 0,
    votesRejected: 0,
    votesUnjudgeable: 0,
    votesMissed: 0,
    ...members,
  });
  for (const { key, after: record } of state.writes()) {
    const [collection = '', id = ''] = key.split('/');
    chain.ledger.seed(collection as 'verifier', id, record as VerifierRecord);
  }
  seedMoney(chain, classAccount('bonds'), BOND);
}

/** alice and bob can create orders; five verifiers in separate groups are bonded. */
export function readyForWork(
  chain: TestChain,
  verifiers: readonly string[] = VERIFIERS,
): TestChain {
  for (const agentId of ['alice', 'bob']) {
    chain.does(agentId, 'extendAgentCapabilities', {
      agentId,
      actions: ['createWorkOrder', 'cancelWorkOrder'],
    });
    seedMoney(chain, agentId, PURSE);
  }
  for (const verifierId of verifiers) seedVerifier(chain, verifierId);
  return chain;
}

export function orderIn(chain: TestChain, orderId = 'o-1'): WorkOrderRecord {
  const order = chain.record('order', orderId);
  if (!order) throw new Error(`there is no order ${orderId}`);
  return order;
}

export function opened(chain: TestChain, members: JsonObject = {}, orderId = 'o-1'): TestChain {
  return readyForWork(chain).does('alice', 'createWorkOrder', workOrderOf(orderId, members));
}

export function taken(chain: TestChain, members: JsonObject = {}): TestChain {
  return opened(chain, members).does('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' });
}

export const resultOf = (orderId = 'o-1', members: JsonObject = {}): JsonObject => ({
  orderId,
  agentId: 'bob',
  deliverableHash: hashOfDigit('d'),
  ...members,
});

/** Delivered and drawn. */
export function inReview(chain: TestChain, members: JsonObject = {}): TestChain {
  taken(chain, members).does('bob', 'submitWorkResult', resultOf());
  chain.block([]);
  return chain;
}

export function committeeOf(chain: TestChain, orderId = 'o-1'): string[] {
  return (orderIn(chain, orderId).verification?.committee ?? []).map(
    ({ verifierId }) => verifierId,
  );
}

/** Votes. If the jury seals its votes, commits to one; the last commitment reveals all. */
export function vote(
  chain: TestChain,
  verifierId: string,
  verdict: WorkVote['vote'],
  orderId = 'o-1',
): Outcome {
  if (!chain.record('order', orderId)?.verification?.commitments) {
    const payload = { orderId, verifierId, vote: verdict, evidenceHash: hashOfDigit('e') };
    return chain.act(verifierId, 'voteWork', payload);
  }
  const outcome = commit(chain, verifierId, verdict, orderId);
  revealAll(chain, orderId);
  return outcome;
}

/** Of each vote, so that a test can open a commitment. */
const SALT = hashOfDigit('5');

function commitmentOf(
  chain: TestChain,
  verifierId: string,
  verdict: WorkVote['vote'],
  orderId: string,
): string {
  const { round = 1 } = orderIn(chain, orderId).verification ?? {};
  return voteCommitment({ orderId, verifierId, round, vote: verdict, salt: SALT });
}

export function commit(
  chain: TestChain,
  verifierId: string,
  verdict: WorkVote['vote'],
  orderId = 'o-1',
): Outcome {
  const commitment = commitmentOf(chain, verifierId, verdict, orderId);
  return chain.act(verifierId, 'voteWork', { orderId, verifierId, commitment });
}

/** Reveals all committed votes, once the jury reveals. */
export function revealAll(chain: TestChain, orderId = 'o-1'): void {
  const { commitments = [] } = orderIn(chain, orderId).verification ?? {};
  for (const { verifierId, commitment } of commitments) {
    if (orderIn(chain, orderId).phase !== 'REVEAL') return;
    const verdict = WORK_VOTES.find(
      (each) => commitmentOf(chain, verifierId, each, orderId) === commitment,
    );
    if (verdict) reveal(chain, verifierId, verdict, orderId);
  }
}

export const revealOf = (
  verifierId: string,
  verdict: WorkVote['vote'],
  orderId = 'o-1',
): JsonObject => ({
  orderId,
  verifierId,
  vote: verdict,
  evidenceHash: hashOfDigit('e'),
  salt: SALT,
});

export const reveal = (
  chain: TestChain,
  verifierId: string,
  verdict: WorkVote['vote'],
  orderId = 'o-1',
): Outcome => chain.act(verifierId, 'voteWork', revealOf(verifierId, verdict, orderId));

/** Both signed by the verifier. */
export function conflictingVotes(
  chain: TestChain,
  verifierId: string,
  orderId = 'o-1',
  options: IntentOptions = {},
): { verifierId: string; orderId: string; first: JsonObject; second: JsonObject } {
  const signed = (verdict: string): JsonObject => {
    const payload = { orderId, verifierId, vote: verdict, evidenceHash: hashOfDigit('e') };
    return chain.intent(verifierId, 'voteWork', payload, options).envelope;
  };
  return { verifierId, orderId, first: signed('ACCEPT'), second: signed('REJECT') };
}

/** One block per vote. */
export function votes(chain: TestChain, ...verdicts: WorkVote['vote'][]): TestChain {
  const committee = committeeOf(chain);
  verdicts.forEach((verdict, i) => {
    const outcome = vote(chain, committee[i] ?? '', verdict);
    if (!outcome.ok) throw outcome.refusal;
  });
  return chain;
}

export const verified = (chain: TestChain, members: JsonObject = {}): TestChain =>
  votes(inReview(chain, members), 'ACCEPT', 'ACCEPT');

export function disputed(chain: TestChain, by = 'alice'): TestChain {
  return verified(chain).does(by, 'openDispute', { orderId: 'o-1', reasonHash: hashOfDigit('f') });
}

/** Passes a span and one block, which executes what is due. */
export function pass(chain: TestChain, { heights, milliseconds }: ProtectiveDelay): TestChain {
  chain.ledger.advance(heights, milliseconds);
  chain.block([]);
  return chain;
}

export const balance = (chain: TestChain, id: string): number =>
  chain.record('account', id)?.balance ?? 0;

/** A chain ready for work, and the gain of each account since. */
export function workNetwork(
  version: 1 | 2,
  verifiers: readonly string[],
  accounts: readonly string[] = ['alice', 'bob'],
) {
  const chain = readyForWork(withRules(standardChain(), version), verifiers);
  const before = new Map(accounts.map((id) => [id, balance(chain, id)]));
  const gain = (id: string): number => balance(chain, id) - (before.get(id) ?? 0);
  return { chain, gain };
}

/** Delivers the order o-1 of alice by bob; the next block draws its jury. */
export function delivered(chain: TestChain, members: JsonObject = {}): TestChain {
  chain
    .does('alice', 'createWorkOrder', workOrderOf('o-1', members))
    .does('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' })
    .does('bob', 'submitWorkResult', resultOf());
  chain.block([]);
  return chain;
}

/** Waits for the deadline of the phase. */
export function lapse(chain: TestChain): TestChain {
  const { deadline } = orderIn(chain);
  if (!deadline) throw new Error('the order has no deadline');
  const { height, time } = deadline;
  const { ledger } = chain;
  ledger.advance(Math.max(1, height - chain.height), Math.max(1, time - ledger.tip.time));
  chain.block([]);
  return chain;
}
