import { MAX_PROOF_BYTES, MAX_PROOF_STEPS_OF_BLOCK, type JsonObject } from '@netd/protocol';
import { FUNDING, hashOfDigit, testKey, workOrderOf } from '@netd/protocol/testing';
import {
  MAX_OPEN_ORDERS,
  MAX_UNFINISHED_ORDERS,
  MAX_UNPROVEN_ORDERS,
  workStatsOf,
} from '../../actions/work/order.ts';
import { DEFAULT_VALIDATION_POLICY } from '../../actions/work/validation-policy.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import { StateOverlay } from '../../state.ts';
import { deliveredText, proofOf } from '../proofs.ts';
import { withRules } from '../rules.ts';
import { OPERATOR, type TestChain } from '../test-chain.ts';
import {
  commit,
  committeeOf,
  conflictingVotes,
  disputed,
  inReview,
  opened,
  orderIn,
  readyForWork,
  resultOf,
  revealOf,
  seedVerifier,
  taken,
  verified,
  VERIFIERS,
  vote,
  votes,
} from '../work.ts';
import type { RefusalCase } from './case.ts';

const ORDER = { orderId: 'o-1' };
const NO_ORDER = { orderId: 'o-0' };
const ACCEPT = { vote: 'ACCEPT', evidenceHash: hashOfDigit('e') };
const LEAST = DEVNET_POLICY.work.minimumSpans;
const REASON = { reasonHash: hashOfDigit('f') };
const EVIDENCE = 'submitVerifierEvidence';
const PROVE = 'proveVerdict';
const SHORT = { kind: 'json-schema', schema: { maxLength: 5 } };
type Votes = ReturnType<typeof conflictingVotes>;

function seedWorkStats(
  chain: TestChain,
  actorId: string,
  counts: { openOrders?: number; unfinishedOrders?: number; verifiedOrders?: number },
): TestChain {
  const stats = workStatsOf(new StateOverlay(chain.ledger), actorId);
  chain.ledger.seed('work-stats', actorId, { ...stats, ...counts });
  return chain;
}

const provable = (chain: TestChain, result: string): TestChain =>
  deliveredText(readyForWork(withRules(chain)), [SHORT], result);

/** All verifiers have left. */
function withoutVerifiers(chain: TestChain): TestChain {
  chain.ledger.seed('verifier-roster', 'active', { verifiers: [] });
  return chain;
}

export const WORK_REFUSALS: RefusalCase[] = [
  {
    subject: 'createWorkOrder',
    code: 'WORK_ORDER_EXISTS',
    rule: 'an order id is used once',
    provoke: (chain) => opened(chain).intent('bob', 'createWorkOrder', workOrderOf('o-1')),
  },
  {
    subject: 'createWorkOrder',
    code: 'WORK_ORDER_EXISTS',
    rule: 'the id of an ended order is not used again',
    provoke: (chain) =>
      opened(chain)
        .does('alice', 'cancelWorkOrder', ORDER)
        .intent('alice', 'createWorkOrder', workOrderOf('o-1')),
  },
  {
    subject: 'createWorkOrder',
    code: 'WORK_POLICY_INVALID',
    rule: 'a committee can give as many accepts as are required',
    provoke: (chain) => {
      const validationPolicy = { ...DEFAULT_VALIDATION_POLICY, requiredAccepts: 4 };
      const order = workOrderOf('o-1', { validationPolicy });
      return readyForWork(chain).intent('alice', 'createWorkOrder', order);
    },
  },
  {
    subject: 'createWorkOrder',
    code: 'WORK_POLICY_INVALID',
    rule: 'the accepts that are required can come from as many groups',
    provoke: (chain) => {
      const validationPolicy = { ...DEFAULT_VALIDATION_POLICY, minIndependentGroups: 3 };
      const order = workOrderOf('o-1', { validationPolicy });
      return readyForWork(chain).intent('alice', 'createWorkOrder', order);
    },
  },
  {
    subject: 'createWorkOrder',
    code: 'REQUESTER_IS_WORKER',
    rule: 'a requester cannot order from itself',
    provoke: (chain) => {
      const order = workOrderOf('o-1', { agentId: 'alice' });
      return readyForWork(chain).intent('alice', 'createWorkOrder', order);
    },
  },
  {
    subject: 'createWorkOrder',
    code: 'AGENT_UNKNOWN',
    rule: 'a targeted order names an agent',
    provoke: (chain) => {
      const order = workOrderOf('o-1', { agentId: 'nobody' });
      return readyForWork(chain).intent('alice', 'createWorkOrder', order);
    },
  },
  {
    subject: 'createWorkOrder',
    code: 'AGENT_INACTIVE',
    rule: 'a targeted order names an active agent',
    provoke: (chain) => {
      readyForWork(chain).does(OPERATOR, 'setAgentStatus', { agentId: 'bob', status: 'suspended' });
      return chain.intent('alice', 'createWorkOrder', workOrderOf('o-1', { agentId: 'bob' }));
    },
  },
  {
    subject: 'createWorkOrder',
    code: 'WORK_ORDER_LIMIT',
    rule: 'a requester has at most 1,000 orders under way',
    provoke: (chain) =>
      seedWorkStats(readyForWork(chain), 'alice', { openOrders: MAX_OPEN_ORDERS }).intent(
        'alice',
        'createWorkOrder',
        workOrderOf('o-1'),
      ),
  },
  {
    subject: 'createWorkOrder',
    code: 'INSUFFICIENT_BALANCE',
    rule: 'funding and fee are there',
    provoke: (chain) => {
      const funding = chain.record('account', 'net:treasury')?.balance ?? 0;
      return readyForWork(chain).intent(
        'alice',
        'createWorkOrder',
        workOrderOf('o-1', { funding }),
      );
    },
  },
  {
    subject: 'createWorkOrder',
    code: 'WORKER_BOND_INVALID',
    rule: 'a worker is asked for no more than it would be paid',
    provoke: (chain) =>
      readyForWork(chain).intent(
        'alice',
        'createWorkOrder',
        workOrderOf('o-1', { workerBond: FUNDING + 1 }),
      ),
  },
  ...(
    [
      ['deliverWithin', { heights: LEAST.deliver.heights - 1 }],
      ['deliverWithin', { milliseconds: LEAST.deliver.milliseconds - 1 }],
      ['verifyWithin', { heights: LEAST.verify.heights - 1 }],
      ['verifyWithin', { milliseconds: LEAST.verify.milliseconds - 1 }],
    ] as const
  ).map(([member, less]): RefusalCase => ({
    subject: 'createWorkOrder',
    code: 'WORK_SPAN_TOO_SHORT',
    rule: `${member} is no shorter than the policy allows, in ${Object.keys(less)[0]}`,
    provoke: (chain) => {
      const least = member === 'deliverWithin' ? LEAST.deliver : LEAST.verify;
      const order = workOrderOf('o-1', { [member]: { ...least, ...less } });
      return readyForWork(chain).intent('alice', 'createWorkOrder', order);
    },
  })),
  {
    subject: 'acceptWork',
    code: 'WORKER_BOND_MISMATCH',
    rule: 'a bond is agreed to by being repeated',
    provoke: (chain) =>
      opened(chain, { workerBond: 5 }).intent('bob', 'acceptWork', { ...ORDER, agentId: 'bob' }),
  },
  {
    subject: 'acceptWork',
    code: 'INSUFFICIENT_BALANCE',
    rule: 'the worker has the bond it agrees to',
    provoke: (chain) =>
      opened(chain, { workerBond: 5 }).intent('carol', 'acceptWork', {
        ...ORDER,
        agentId: 'carol',
        workerBond: 5,
      }),
  },
  {
    subject: 'acceptWork',
    code: 'AGENT_UNKNOWN',
    rule: 'only agents work',
    provoke: (chain) =>
      opened(chain).intent(OPERATOR, 'acceptWork', { ...ORDER, agentId: OPERATOR }),
  },
  {
    subject: 'acceptWork',
    code: 'WORK_ORDER_UNKNOWN',
    rule: 'only orders that exist are taken',
    provoke: (chain) => chain.intent('bob', 'acceptWork', { ...NO_ORDER, agentId: 'bob' }),
  },
  {
    subject: 'acceptWork',
    code: 'WORK_ORDER_NOT_OPEN',
    rule: 'the first taker has it',
    provoke: (chain) => taken(chain).intent('carol', 'acceptWork', { ...ORDER, agentId: 'carol' }),
  },
  {
    subject: 'acceptWork',
    code: 'WORK_ORDER_NOT_OPEN',
    rule: 'an order whose time to accept has passed is gone',
    provoke: (chain) => {
      const { heights, milliseconds } = DEVNET_POLICY.work.acceptWithin;
      opened(chain).ledger.advance(heights, milliseconds);
      chain.block([]);
      return chain.intent('bob', 'acceptWork', { ...ORDER, agentId: 'bob' });
    },
  },
  {
    subject: 'acceptWork',
    code: 'REQUESTER_IS_WORKER',
    rule: 'a requester cannot accept its own order',
    provoke: (chain) => opened(chain).intent('alice', 'acceptWork', { ...ORDER, agentId: 'alice' }),
  },
  {
    subject: 'acceptWork',
    code: 'WORK_TARGETED',
    rule: 'a targeted order is for the named agent',
    provoke: (chain) =>
      opened(chain, { agentId: 'bob' }).intent('carol', 'acceptWork', {
        ...ORDER,
        agentId: 'carol',
      }),
  },
  {
    subject: 'acceptWork',
    code: 'WORK_UNFINISHED_LIMIT',
    rule: 'an agent has at most 16 orders under way',
    provoke: (chain) =>
      seedWorkStats(opened(chain), 'bob', {
        unfinishedOrders: MAX_UNFINISHED_ORDERS,
        verifiedOrders: 1,
      }).intent('bob', 'acceptWork', { ...ORDER, agentId: 'bob' }),
  },
  {
    subject: 'acceptWork',
    code: 'WORK_UNPROVEN_LIMIT',
    rule: 'an agent without paid work has at most two orders under way',
    provoke: (chain) =>
      seedWorkStats(opened(chain), 'bob', { unfinishedOrders: MAX_UNPROVEN_ORDERS }).intent(
        'bob',
        'acceptWork',
        { ...ORDER, agentId: 'bob' },
      ),
  },
  {
    subject: 'acceptWork',
    code: 'WORK_RELEASED',
    rule: 'who has given an order back does not take it again',
    provoke: (chain) =>
      taken(chain)
        .does('bob', 'releaseWork', ORDER)
        .intent('bob', 'acceptWork', { ...ORDER, agentId: 'bob' }),
  },
  {
    subject: 'createWorkOrder',
    code: 'WORK_JURY_UNAVAILABLE',
    rule: 'an order asks for a jury that there can be',
    provoke: (chain) =>
      readyForWork(withRules(chain), ['vera']).intent(
        'alice',
        'createWorkOrder',
        workOrderOf('o-1'),
      ),
  },
  {
    subject: 'acceptWork',
    code: 'WORK_JURY_UNAVAILABLE',
    rule: 'no worker takes an order that no jury could accept',
    provoke: (chain) =>
      withoutVerifiers(opened(withRules(chain))).intent('bob', 'acceptWork', {
        ...ORDER,
        agentId: 'bob',
      }),
  },
  {
    subject: 'releaseWork',
    code: 'WORK_ORDER_UNKNOWN',
    rule: 'only orders that exist are given back',
    provoke: (chain) => chain.intent('bob', 'releaseWork', NO_ORDER),
  },
  {
    subject: 'releaseWork',
    code: 'WORK_ORDER_NOT_ACCEPTED',
    rule: 'what has been delivered is not given back',
    provoke: (chain) => inReview(chain).intent('bob', 'releaseWork', ORDER),
  },
  {
    subject: 'releaseWork',
    code: 'NOT_WORK_AGENT',
    rule: 'the agent that accepted gives back',
    provoke: (chain) => taken(chain).intent('carol', 'releaseWork', ORDER),
  },
  {
    subject: 'submitWorkResult',
    code: 'WORK_ORDER_UNKNOWN',
    rule: 'only orders that exist are delivered',
    provoke: (chain) => chain.intent('bob', 'submitWorkResult', resultOf('o-0')),
  },
  {
    subject: 'submitWorkResult',
    code: 'WORK_ORDER_NOT_ACCEPTED',
    rule: 'an order is accepted before it is delivered',
    provoke: (chain) => opened(chain).intent('bob', 'submitWorkResult', resultOf()),
  },
  {
    subject: 'submitWorkResult',
    code: 'WORK_ORDER_NOT_ACCEPTED',
    rule: 'there is one result',
    provoke: (chain) => inReview(chain).intent('bob', 'submitWorkResult', resultOf()),
  },
  {
    subject: 'submitWorkResult',
    code: 'NOT_WORK_AGENT',
    rule: 'the agent that accepted delivers',
    provoke: (chain) =>
      taken(chain).intent('carol', 'submitWorkResult', resultOf('o-1', { agentId: 'carol' })),
  },
  {
    subject: 'submitWorkResult',
    code: 'PROOF_TYPE_UNACCEPTED',
    rule: 'evidence is of a type the order takes',
    provoke: (chain) => {
      const evidence = { schema: 'NET-WORK-EVIDENCE/1', proofType: 'ZK_PROOF' };
      return taken(chain).intent('bob', 'submitWorkResult', resultOf('o-1', { evidence }));
    },
  },
  {
    subject: 'voteWork',
    code: 'WORK_ORDER_UNKNOWN',
    rule: 'only orders that exist are voted on',
    provoke: (chain) =>
      readyForWork(chain).intent('vera', 'voteWork', {
        ...NO_ORDER,
        ...ACCEPT,
        verifierId: 'vera',
      }),
  },
  {
    subject: 'voteWork',
    code: 'WORK_NOT_IN_VERIFICATION',
    rule: 'votes come after the result',
    provoke: (chain) =>
      taken(chain).intent('vera', 'voteWork', { ...ORDER, ...ACCEPT, verifierId: 'vera' }),
  },
  {
    subject: 'voteWork',
    code: 'WORK_NOT_IN_VERIFICATION',
    rule: 'votes end with the verdict',
    provoke: (chain) => {
      const verifierId = committeeOf(verified(chain))[2] ?? '';
      return chain.intent(verifierId, 'voteWork', { ...ORDER, ...ACCEPT, verifierId });
    },
  },
  {
    subject: 'voteWork',
    code: 'NOT_COMMITTEE_MEMBER',
    rule: 'only the committee votes',
    provoke: (chain) => {
      const committee = committeeOf(inReview(chain));
      const verifierId = VERIFIERS.find((name) => !committee.includes(name)) ?? '';
      return chain.intent(verifierId, 'voteWork', { ...ORDER, ...ACCEPT, verifierId });
    },
  },
  {
    subject: 'voteWork',
    code: 'VOTE_ALREADY_CAST',
    rule: 'a vote is final',
    provoke: (chain) => {
      const verifierId = committeeOf(votes(inReview(chain), 'ACCEPT'))[0] ?? '';
      return chain.intent(verifierId, 'voteWork', {
        ...ORDER,
        ...ACCEPT,
        vote: 'REJECT',
        verifierId,
      });
    },
  },
  {
    subject: 'voteWork',
    code: 'PAYLOAD_INVALID',
    rule: 'open votes say what they vote',
    provoke: (chain) => {
      const [verifierId = ''] = committeeOf(inReview(chain));
      return chain.intent(verifierId, 'voteWork', { ...ORDER, verifierId });
    },
  },
  {
    subject: 'voteWork',
    code: 'VOTES_SEALED',
    rule: 'nobody votes early if the votes are sealed',
    provoke: (chain) => {
      const [verifierId = ''] = committeeOf(inReview(withRules(chain)));
      return chain.intent(verifierId, 'voteWork', { ...ORDER, ...ACCEPT, verifierId });
    },
  },
  {
    subject: 'voteWork',
    code: 'VOTE_COMMITMENT_MISMATCH',
    rule: 'a commitment binds',
    provoke: (chain) => {
      const committee = committeeOf(inReview(withRules(chain)));
      for (const member of committee) commit(chain, member, 'ACCEPT');
      const [verifierId = ''] = committee;
      return chain.intent(verifierId, 'voteWork', revealOf(verifierId, 'REJECT'));
    },
  },
  {
    subject: 'settleVerifiedWork',
    code: 'WORK_ORDER_UNKNOWN',
    rule: 'only orders that exist are settled',
    provoke: (chain) => chain.intent('carol', 'settleVerifiedWork', NO_ORDER),
  },
  {
    subject: 'settleVerifiedWork',
    code: 'WORK_NOT_VERIFIED',
    rule: 'the committee comes first',
    provoke: (chain) => votes(inReview(chain), 'ACCEPT').intent('bob', 'settleVerifiedWork', ORDER),
  },
  {
    subject: 'settleVerifiedWork',
    code: 'WORK_NOT_VERIFIED',
    rule: 'a disputed order waits for the operator',
    provoke: (chain) => disputed(chain).intent('bob', 'settleVerifiedWork', ORDER),
  },
  {
    subject: 'settleVerifiedWork',
    code: 'DISPUTE_WINDOW_OPEN',
    rule: 'the time of the dispute window passes too',
    provoke: (chain) => {
      const { heights, milliseconds } = DEVNET_POLICY.work.disputeWindow;
      verified(chain).ledger.advance(heights, milliseconds - 101);
      return chain.intent('bob', 'settleVerifiedWork', ORDER);
    },
  },
  {
    subject: 'settleVerifiedWork',
    code: 'DISPUTE_WINDOW_OPEN',
    rule: 'the heights of the dispute window pass too',
    provoke: (chain) => {
      const { heights, milliseconds } = DEVNET_POLICY.work.disputeWindow;
      verified(chain).ledger.advance(heights - 2, milliseconds);
      return chain.intent('bob', 'settleVerifiedWork', ORDER);
    },
  },
  {
    subject: 'openDispute',
    code: 'WORK_ORDER_UNKNOWN',
    rule: 'only orders that exist are disputed',
    provoke: (chain) => chain.intent('alice', 'openDispute', { ...NO_ORDER, ...REASON }),
  },
  {
    subject: 'openDispute',
    code: 'NOT_WORK_PARTY',
    rule: 'only requester and worker dispute',
    provoke: (chain) => verified(chain).intent('carol', 'openDispute', { ...ORDER, ...REASON }),
  },
  {
    subject: 'openDispute',
    code: 'WORK_NOT_VERIFIED',
    rule: 'there is one dispute',
    provoke: (chain) => disputed(chain).intent('bob', 'openDispute', { ...ORDER, ...REASON }),
  },
  {
    subject: 'openDispute',
    code: 'DISPUTE_WINDOW_CLOSED',
    rule: 'a dispute comes within its window',
    provoke: (chain) => {
      const { heights, milliseconds } = DEVNET_POLICY.work.disputeWindow;
      verified(chain).ledger.advance(heights - 1, milliseconds);
      return chain.intent('alice', 'openDispute', { ...ORDER, ...REASON });
    },
  },
  {
    subject: 'openDispute',
    code: 'DISPUTE_BOND_MISMATCH',
    rule: 'the agreed bond equals the bond of the policy',
    provoke: (chain) => {
      const bond = DEVNET_POLICY.work.disputeBond - 1;
      return verified(chain).intent('alice', 'openDispute', { ...ORDER, ...REASON, bond });
    },
  },
  {
    subject: 'openDispute',
    code: 'INSUFFICIENT_BALANCE',
    rule: 'the bond is there',
    provoke: (chain) => {
      verified(chain);
      const all = chain.record('account', 'alice')?.balance ?? 0;
      chain.does('alice', 'transfer', { to: 'carol', amount: all });
      return chain.intent('alice', 'openDispute', { ...ORDER, ...REASON });
    },
  },
  {
    subject: 'resolveDispute',
    code: 'WORK_ORDER_UNKNOWN',
    rule: 'only orders that exist are resolved',
    provoke: (chain) => chain.intent(OPERATOR, 'resolveDispute', { ...NO_ORDER, outcome: 'PAID' }),
  },
  {
    subject: 'resolveDispute',
    code: 'WORK_NOT_DISPUTED',
    rule: 'an operator decides disputes only',
    provoke: (chain) =>
      verified(chain).intent(OPERATOR, 'resolveDispute', { ...ORDER, outcome: 'REJECTED' }),
  },
  {
    subject: 'resolveDispute',
    code: 'OWN_DISPUTE',
    rule: 'an operator that ordered the work does not judge it',
    provoke: (chain) => {
      const ids = { orderId: 'o-2', agentId: 'bob' };
      readyForWork(chain)
        .does(OPERATOR, 'createWorkOrder', workOrderOf('o-2'))
        .does('bob', 'acceptWork', ids)
        .does('bob', 'submitWorkResult', resultOf('o-2'))
        .block([]);
      for (const verifierId of committeeOf(chain, 'o-2').slice(0, 2)) {
        vote(chain, verifierId, 'ACCEPT', 'o-2');
      }
      chain.does(OPERATOR, 'openDispute', { orderId: 'o-2', reasonHash: hashOfDigit('f') });
      return chain.intent(OPERATOR, 'resolveDispute', { orderId: 'o-2', outcome: 'REJECTED' });
    },
  },
  {
    subject: 'cancelWorkOrder',
    code: 'WORK_ORDER_UNKNOWN',
    rule: 'only orders that exist are cancelled',
    provoke: (chain) => readyForWork(chain).intent('alice', 'cancelWorkOrder', NO_ORDER),
  },
  {
    subject: 'cancelWorkOrder',
    code: 'NOT_WORK_REQUESTER',
    rule: 'the requester cancels',
    provoke: (chain) => opened(chain).intent('bob', 'cancelWorkOrder', ORDER),
  },
  {
    subject: 'cancelWorkOrder',
    code: 'WORK_ORDER_NOT_OPEN',
    rule: 'an accepted order is not taken back',
    provoke: (chain) => taken(chain).intent('alice', 'cancelWorkOrder', ORDER),
  },
  {
    subject: EVIDENCE,
    code: 'VERIFIER_UNKNOWN',
    rule: 'only verifiers are slashed',
    provoke: (chain) => chain.intent(OPERATOR, EVIDENCE, conflictingVotes(chain, 'bob')),
  },
  {
    subject: EVIDENCE,
    code: 'WORK_ORDER_UNKNOWN',
    rule: 'votes on an unknown order are no evidence',
    provoke: (chain) =>
      readyForWork(chain).intent(OPERATOR, EVIDENCE, conflictingVotes(chain, 'vera', 'o-0')),
  },
  {
    subject: EVIDENCE,
    code: 'NOT_COMMITTEE_MEMBER',
    rule: 'votes of a verifier outside the committee are no evidence',
    provoke: (chain) => {
      const drawn = committeeOf(inReview(chain));
      const other = VERIFIERS.find((id) => !drawn.includes(id)) ?? '';
      return chain.intent(OPERATOR, EVIDENCE, conflictingVotes(chain, other));
    },
  },
  ...(
    [
      ['of another actor', (pair, other) => ({ ...pair, second: other.second })],
      ['on another order', (pair) => ({ ...pair, orderId: 'o-2' })],
      ['that is none', (pair, _, transfer) => ({ ...pair, second: transfer })],
    ] as [string, (pair: Votes, other: Votes, transfer: JsonObject) => JsonObject][]
  ).map(([what, spoil]): RefusalCase => ({
    subject: EVIDENCE,
    code: 'EVIDENCE_NOT_ABOUT',
    rule: `a vote ${what} proves nothing about the accused`,
    provoke: (chain) => {
      const [accused = '', other = ''] = committeeOf(inReview(chain));
      // The drawing does not matter here.
      chain.ledger.seed('order', 'o-2', { ...orderIn(chain), orderId: 'o-2' });
      const pair = conflictingVotes(chain, accused);
      // A vote with another action.
      const gift = chain.intent(accused, 'transfer', pair.second['payload'] as JsonObject).envelope;
      const evidence = spoil(pair, conflictingVotes(chain, other), gift);
      return chain.intent(OPERATOR, EVIDENCE, evidence);
    },
  })),
  {
    subject: EVIDENCE,
    code: 'EVIDENCE_NOT_ABOUT',
    rule: 'a vote for another chain proves nothing here',
    provoke: (chain) => {
      const [accused = ''] = committeeOf(inReview(chain));
      const pair = conflictingVotes(chain, accused, 'o-1', { chainId: 'net-elsewhere-1' });
      return chain.intent(OPERATOR, EVIDENCE, pair);
    },
  },
  {
    subject: EVIDENCE,
    code: 'EVIDENCE_NOT_CONFLICTING',
    rule: 'the same verdict twice is no offence',
    provoke: (chain) => {
      const [accused = ''] = committeeOf(inReview(chain));
      const { first, ...pair } = conflictingVotes(chain, accused);
      return chain.intent(OPERATOR, EVIDENCE, { ...pair, first, second: first });
    },
  },
  {
    subject: EVIDENCE,
    code: 'EVIDENCE_SIGNATURE_INVALID',
    rule: 'a verifier is not slashed for the signature of another key',
    provoke: (chain) => {
      const [accused = ''] = committeeOf(inReview(chain));
      const forged = conflictingVotes(chain, accused, 'o-1', { key: testKey('mallory') });
      const pair = { ...conflictingVotes(chain, accused), second: forged.second };
      return chain.intent(OPERATOR, EVIDENCE, pair);
    },
  },
  {
    subject: EVIDENCE,
    code: 'EVIDENCE_ALREADY_USED',
    rule: 'an order is one offence, whatever pair of votes',
    provoke: (chain) => {
      const [accused = ''] = committeeOf(inReview(chain));
      chain.does(OPERATOR, EVIDENCE, conflictingVotes(chain, accused));
      return chain.intent(OPERATOR, EVIDENCE, conflictingVotes(chain, accused));
    },
  },
  {
    subject: EVIDENCE,
    code: 'VERIFIER_BOND_EMPTY',
    rule: 'there is something to slash',
    provoke: (chain) => {
      const [accused = ''] = committeeOf(inReview(chain));
      seedVerifier(chain, accused, { bond: 9 });
      return chain.intent(OPERATOR, EVIDENCE, conflictingVotes(chain, accused));
    },
  },
  {
    subject: PROVE,
    code: 'WORK_ORDER_UNKNOWN',
    rule: 'only verdicts on orders that exist are proven',
    provoke: (chain) =>
      withRules(chain).intent('bob', PROVE, proofOf([SHORT], '"a"', NO_ORDER.orderId)),
  },
  {
    subject: PROVE,
    code: 'NOT_WORK_PARTY',
    rule: 'only requester and worker prove a verdict',
    provoke: (chain) => provable(chain, '"a"').intent('carol', PROVE, proofOf([SHORT], '"a"')),
  },
  {
    subject: PROVE,
    code: 'WORK_NOT_IN_VERIFICATION',
    rule: 'a verdict is about a delivery',
    provoke: (chain) => taken(withRules(chain)).intent('bob', PROVE, proofOf([SHORT], '"a"')),
  },
  {
    subject: PROVE,
    code: 'WORK_NOT_PROVABLE',
    rule: 'the requester has asked for provable verdicts',
    provoke: (chain) => inReview(withRules(chain)).intent('bob', PROVE, proofOf([SHORT], '"a"')),
  },
  {
    subject: PROVE,
    code: 'PROOF_MISMATCH',
    rule: 'a proof is about the delivered bytes',
    provoke: (chain) => provable(chain, '"a"').intent('bob', PROVE, proofOf([SHORT], '"b"')),
  },
  {
    subject: PROVE,
    code: 'PROOF_TOO_COSTLY',
    rule: 'a proof has at most 40 KiB',
    provoke: (chain) => {
      const result = JSON.stringify('a'.repeat(MAX_PROOF_BYTES));
      return provable(chain, result).intent('bob', PROVE, proofOf([SHORT], result));
    },
  },
  {
    subject: PROVE,
    code: 'PROOF_UNJUDGEABLE',
    rule: 'a proof needs at least one condition',
    provoke: (chain) =>
      deliveredText(readyForWork(withRules(chain)), [], '"a"').intent(
        'bob',
        PROVE,
        proofOf([], '"a"'),
      ),
  },
  {
    subject: PROVE,
    code: 'PROOF_INCONCLUSIVE',
    rule: 'a hash alone proves no result met',
    provoke: (chain) => {
      const { result: _, ...alone } = proofOf([SHORT], '"a"');
      return provable(chain, '"a"').intent('bob', PROVE, alone);
    },
  },
  {
    subject: PROVE,
    code: 'PROOF_BLOCK_FULL',
    rule: 'a block judges a bounded number of steps',
    provoke: (chain) => {
      const { ledger, height } = provable(chain, '"a"');
      const spent = { height: height + 1, steps: MAX_PROOF_STEPS_OF_BLOCK };
      ledger.seed('proof-steps', 'latest', spent);
      return chain.intent('bob', PROVE, proofOf([SHORT], '"a"'));
    },
  },
];
