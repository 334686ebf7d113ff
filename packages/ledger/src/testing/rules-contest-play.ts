/** Contests under version 2 of the rules, for the golden chain that crosses to it. */
import { contestBondOf, UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { hashOfDigit, workOrderOf } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../genesis.ts';
import type { WorkVote } from '../actions/work/records.ts';
import { accepted } from './expectations.ts';
import type { TestChain } from './test-chain.ts';
import { committeeOf, resultOf, vote } from './work.ts';

/** Of the policy of that chain. */
export const RESOLVE_WITHIN = { heights: 2, milliseconds: 1_000 };

const REQUESTER = 'rena';
const WORKER = 'wanda';

export function playContests(chain: TestChain): void {
  const verifierIds = ['vasco', 'velma', 'vesna', 'vince', 'viola'];
  chain.join([REQUESTER], ['createWorkOrder']).join([WORKER, ...verifierIds]);
  for (const actorId of [REQUESTER, WORKER]) chain.fund(actorId, 10 * UNET_PER_NET);
  for (const verifierId of verifierIds) {
    chain.fund(verifierId, 100 * UNET_PER_NET).install(verifierId, 'VERIFIER');
  }
  delivered(chain, 'judged-again');
  judged(chain, 'judged-again', 'REJECT');
  chain.does(WORKER, 'openDispute', contest('judged-again')).block([]);
  judged(chain, 'judged-again', 'ACCEPT');
  delivered(chain, 'unjudgeable');
  judged(chain, 'unjudgeable', 'UNJUDGEABLE');
  // Without a decision.
  const { minimumSpans } = DEVNET_POLICY.work;
  delivered(chain, 'split', { jury: 'none', verifyWithin: minimumSpans.verify });
  chain.does(REQUESTER, 'openDispute', contest('split'));
  chain.does(WORKER, 'openDispute', contest('split')).block([]);
  judged(chain, 'split', 'UNJUDGEABLE');
  for (let i = 0; i <= RESOLVE_WITHIN.heights; i++) chain.block([], RESOLVE_WITHIN.milliseconds);
}

const contest = (orderId: string): JsonObject => ({
  orderId,
  reasonHash: hashOfDigit('f'),
  bond: contestBondOf(UNET_PER_NET),
});

function delivered(chain: TestChain, orderId: string, members: JsonObject = {}): void {
  const terms = { funding: UNET_PER_NET, ...members };
  chain
    .does(REQUESTER, 'createWorkOrder', workOrderOf(orderId, terms))
    .does(WORKER, 'acceptWork', { orderId, agentId: WORKER })
    .does(WORKER, 'submitWorkResult', resultOf(orderId, { agentId: WORKER }))
    .block([]);
}

/** The committee votes until it has decided. */
function judged(chain: TestChain, orderId: string, verdict: WorkVote['vote']): void {
  for (const verifierId of committeeOf(chain, orderId)) {
    if (chain.record('order', orderId)?.phase !== 'REVIEW') return;
    accepted(vote(chain, verifierId, verdict, orderId));
  }
}
