/** Work under version 2 of the rules, for the golden chain that crosses to it. */
import { sha256Hex, UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { workOrderOf } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../genesis.ts';
import type { WorkVote } from '../actions/work/records.ts';
import { accepted } from './expectations.ts';
import { OPERATOR, type TestChain } from './test-chain.ts';
import { acceptanceOf, proofOf } from './proofs.ts';
import { commit, committeeOf, resultOf, reveal, vote } from './work.ts';

const REQUESTER = 'rosa';
const WORKER = 'walt';

export function playWork(chain: TestChain): void {
  const verifierIds = ['vera', 'vito', 'viki'];
  chain.join([REQUESTER], ['createWorkOrder']).join([WORKER, ...verifierIds]);
  chain.fund(REQUESTER, 100 * UNET_PER_NET).fund(WORKER, UNET_PER_NET);
  for (const verifierId of verifierIds) {
    chain.fund(verifierId, 100 * UNET_PER_NET).install(verifierId, 'VERIFIER');
  }
  const small = { funding: UNET_PER_NET, workerBond: 500, sealedVotes: false };
  paid(chain, 'bonded', small);
  for (const verifierId of verifierIds.slice(0, 2)) {
    chain.does(verifierId, 'declareConditionKinds', { verifierId, conditionKinds: ['review'] });
  }
  paid(chain, 'reviewed', { ...small, conditionKinds: ['review'] });
  delivered(chain, 'refused', small);
  judged(chain, 'refused', 'REJECT');
  playProofs(chain);
  delivered(chain, 'without-jury', { ...small, jury: 'none' });
  playSealed(chain);
  chain.does(OPERATOR, 'publishAnswer', { orderId: 'reviewed', answer: 'ACCEPT' });
}

/** One order whose result meets its acceptance, and one whose result fails it. */
function playProofs(chain: TestChain): void {
  const acceptance = [{ kind: 'json-schema', schema: { maximum: 0.5 } }];
  const { hash: acceptanceHash } = acceptanceOf(acceptance);
  const provable = { funding: UNET_PER_NET, acceptanceHash, sealedVotes: false };
  for (const [orderId, result] of [
    ['proven', '0.25'],
    ['disproven', '0.75'],
  ] as const) {
    delivered(chain, orderId, provable, { deliverableHash: sha256Hex(result) });
    // One juror accepts both results.
    accepted(vote(chain, committeeOf(chain, orderId)[0] ?? '', 'ACCEPT', orderId));
    chain.does(WORKER, 'proveVerdict', proofOf(acceptance, result, orderId));
  }
}

/** One order whose votes are all revealed, and one of which a vote stays sealed. */
function playSealed(chain: TestChain): void {
  chain.join(['wilma']);
  for (const orderId of ['sealed', 'silent']) {
    delivered(chain, orderId, { funding: UNET_PER_NET }, { agentId: 'wilma' });
    for (const verifierId of committeeOf(chain, orderId)) {
      accepted(commit(chain, verifierId, 'ACCEPT', orderId));
    }
    const revealing = committeeOf(chain, orderId).slice(0, orderId === 'sealed' ? undefined : 2);
    for (const verifierId of revealing) accepted(reveal(chain, verifierId, 'ACCEPT', orderId));
  }
  const { heights, milliseconds } = DEVNET_POLICY.work.minimumSpans.verify;
  for (let i = 0; i <= heights; i++) chain.block([], milliseconds);
}

function paid(chain: TestChain, orderId: string, members: JsonObject): void {
  delivered(chain, orderId, members);
  judged(chain, orderId, 'ACCEPT');
  const { heights, milliseconds } = DEVNET_POLICY.work.disputeWindow;
  for (let i = 0; i <= heights; i++) chain.block([], milliseconds);
  chain.does(WORKER, 'settleVerifiedWork', { orderId });
}

function delivered(
  chain: TestChain,
  orderId: string,
  members: JsonObject,
  result: { agentId?: string; deliverableHash?: string } = {},
): void {
  const { workerBond } = members;
  const { agentId = WORKER } = result;
  const terms = { orderId, agentId, ...(workerBond === undefined ? {} : { workerBond }) };
  chain
    .does(REQUESTER, 'createWorkOrder', workOrderOf(orderId, members))
    .does(agentId, 'acceptWork', terms)
    .does(agentId, 'submitWorkResult', resultOf(orderId, { agentId, ...result }))
    .block([]);
}

function judged(chain: TestChain, orderId: string, verdict: WorkVote['vote']): void {
  for (const verifierId of committeeOf(chain, orderId).slice(0, 2)) {
    accepted(vote(chain, verifierId, verdict, orderId));
  }
}
