import { FUNDING, hashOfDigit, workOrderOf } from '@netd/protocol/testing';
import {
  MAX_OPEN_ORDERS,
  MAX_UNFINISHED_ORDERS,
  MAX_UNPROVEN_ORDERS,
  workStatsOf,
} from '../../actions/work/order.ts';
import { DEFAULT_VALIDATION_POLICY } from '../../actions/work/validation-policy.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import { StateOverlay } from '../../state.ts';
import { OPERATOR, type TestChain } from '../test-chain.ts';
import {
  committeeOf,
  disputed,
  inReview,
  opened,
  readyForWork,
  resultOf,
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
const REASON = { reasonHash: hashOfDigit('f') };
const SLASH = { verifierId: 'vera', evidenceHash: hashOfDigit('e') };

/** As if the actor had as many orders under way as the test says. */
function seedWorkStats(
  chain: TestChain,
  actorId: string,
  counts: { openOrders?: number; unfinishedOrders?: number; verifiedOrders?: number },
): TestChain {
  const tally = workStatsOf(new StateOverlay(chain.ledger), actorId);
  chain.ledger.seed('work-stats', actorId, { ...tally, ...counts });
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
    rule: 'nobody orders from itself',
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
    rule: 'nobody takes its own order',
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
    subject: 'submitVerifierEvidence',
    code: 'VERIFIER_UNKNOWN',
    rule: 'only verifiers are slashed',
    provoke: (chain) => chain.intent(OPERATOR, 'submitVerifierEvidence', SLASH),
  },
  {
    subject: 'submitVerifierEvidence',
    code: 'EVIDENCE_ALREADY_USED',
    rule: 'evidence counts once',
    provoke: (chain) =>
      readyForWork(chain)
        .does(OPERATOR, 'submitVerifierEvidence', SLASH)
        .intent(OPERATOR, 'submitVerifierEvidence', SLASH),
  },
  {
    subject: 'submitVerifierEvidence',
    code: 'VERIFIER_BOND_EMPTY',
    rule: 'there is something to slash',
    provoke: (chain) => {
      seedVerifier(chain, 'vera', { bond: 9 });
      return chain.intent(OPERATOR, 'submitVerifierEvidence', SLASH);
    },
  },
];
