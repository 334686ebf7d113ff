import {
  DEFAULT_VALIDATION_POLICY,
  MAX_OPEN_ORDERS,
  MAX_ROSTER,
  MAX_UNFINISHED_ORDERS,
  MAX_UNPROVEN_ORDERS,
  SLASHED_PART,
  WorkValidationPolicy,
} from '@netd/ledger';
import { Unet, OPERATOR_GROUP_PREFIX, verificationFeeOf, WorkPolicy } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { proofLink } from '../shared/links.ts';
import { counterOf } from '../shared/counter.ts';
import { verifierGroups, type VerifierGroups } from '../shared/verifier-groups.ts';
import { defineDocument } from '../shared/read-document.ts';
import { JurorRates, jurorRates } from './juror-rates.ts';

const Range = exactly({ minimum: Type.Integer(), maximum: Type.Integer() }, { title: 'Bounds' });

const { mode, proofTypes, ...numbers } = WorkValidationPolicy.properties;
function rangeOf(schema: object): { minimum: number; maximum: number } {
  const { minimum = 0, maximum = 0 } = schema as { minimum?: number; maximum?: number };
  return { minimum, maximum };
}

const MODES: Readonly<Record<(typeof mode.enum)[number], string>> = {
  INDEPENDENT_REVIEW: 'Verifiers look at the deliverable and judge it.',
  DETERMINISTIC_REPLAY: 'Verifiers run the work again and compare; reExecutionHash records it.',
  ZK_PROOF: 'Verifiers check a proof outside of the chain. The ledger checks none.',
  TEE_ATTESTATION: 'Verifiers check an attestation outside of the chain. The ledger checks none.',
  HYBRID: 'Verifiers combine what proofTypes names.',
};

export const workValidation = defineDocument({
  name: 'NET-POUW-POLICY/1',
  route: '/v1/validation',
  operationId: 'getValidationPolicy',
  tag: 'work',
  summary: 'How work is verified: modes, committees, deadlines, disputes, slashing',
  description: 'The rules by which useful work is verified and paid on this chain.',
  content: {
    modes: Type.Array(exactly({ mode, meaning: Type.String() })),
    proofTypes: Type.Array(Type.String()),
    bounds: exactly({
      requiredAccepts: Range,
      minIndependentGroups: Range,
      committeeSize: Range,
      sampleRateBps: Range,
      rule: Type.String(),
    }),
    defaultPolicy: WorkValidationPolicy,
    policy: WorkPolicy,
    committee: exactly({
      eligible: Type.Array(Type.String()),
      order: Type.String(),
      seed: Type.String(),
      redraw: Type.String(),
      weakness: Type.String(),
    }),
    verdict: exactly({
      verified: Type.String(),
      rejected: Type.String(),
      unjudgeable: Type.String(),
    }),
    fees: Type.String(),
    workerBond: Type.String(),
    minimumFunding: exactly(
      { funding: Unet, verificationFee: Unet, rule: Type.String() },
      { description: 'From where on a paid order counts.' },
    ),
    disputes: exactly({
      who: Type.String(),
      bond: Unet,
      resolution: Type.String(),
      timeout: Type.String(),
    }),
    slashing: exactly({ part: Type.String(), goesTo: Type.String(), needs: Type.String() }),
    limits: exactly({
      openOrdersOfRequester: Type.Integer(),
      unfinishedOrdersOfAgent: Type.Integer(),
      unfinishedOrdersOfUnprovenAgent: Type.Integer({
        description: 'Until it has been paid for verified work of at least minimumFunding.',
      }),
      activeVerifiers: Type.Integer(),
    }),
    actual: exactly({
      activeVerifiers: Type.Integer(),
      verifierGroups: Type.Integer(),
      operatorGroups: Type.Integer({
        description: `Of verifierGroups, those named ${OPERATOR_GROUP_PREFIX}…: they belong to an operator of this network.`,
      }),
      paidOrders: Type.Integer(),
      rejectedOrders: Type.Integer(),
    }),
    jurors: Type.Array(JurorRates, {
      description: 'Active verifiers that orders with a known answer have measured.',
    }),
    boundaries: Type.Array(Type.String()),
  },
  build: (snapshot) => {
    const policy = snapshot.get('policy', 'limits');
    if (!policy) throw new Error('the state has no genesis');
    return {
      modes: mode.enum.map((name) => ({ mode: name, meaning: MODES[name] })),
      proofTypes: proofTypes.items.enum,
      bounds: {
        requiredAccepts: rangeOf(numbers.requiredAccepts),
        minIndependentGroups: rangeOf(numbers.minIndependentGroups),
        committeeSize: rangeOf(numbers.committeeSize),
        sampleRateBps: rangeOf(numbers.sampleRateBps),
        rule: 'minIndependentGroups ≤ requiredAccepts ≤ committeeSize',
      },
      defaultPolicy: DEFAULT_VALIDATION_POLICY,
      policy: policy.work,
      committee: {
        eligible: [
          'active, bonded before the order was accepted, and with a voteWork that lasts until the deadline of the round',
          'judging all conditionKinds of the order, if it declares any (declareConditionKinds)',
          'neither requester nor worker, nor the referrer or a recruit of either',
          'one of each independence group',
        ],
        order: 'by hash({seed, verifierId}), lowest first, up to committeeSize',
        seed: 'hash({orderId, transitionHash, blockHash}): transitionHash of the result, blockHash of the block that holds it; for a redraw that of the block before it',
        redraw:
          'Once, when verifyBy passes undecided: who voted stays, who kept silent comes last. Then the result counts as accepted unless the requester disputes it within verifyWithin; an order without a rulesVersion ends with a refund.',
        weakness:
          'A sole proposer chooses the contents and the time of a block, and could still grind the seed until it likes the committee. On a chain with one validator, drawing protects against the parties of an order, not against the validator.',
      },
      verdict: {
        verified: 'requiredAccepts accepting votes from at least minIndependentGroups groups',
        rejected:
          'more votes that do not accept than committeeSize as drawn − requiredAccepts, or no decision after the redraw',
        unjudgeable:
          'two thirds of the committee as drawn vote UNJUDGEABLE: the result counts as accepted unless the requester disputes it; without a rulesVersion the funding goes back',
      },
      fees: 'The requester pays verificationFeeBps of the funding on top of it, rounded up. Those who voted share it equally, whatever they voted, once the order is paid, rejected by vote or ended by vote as one whose scope cannot be judged; on every other end it goes back.',
      workerBond:
        'An order may ask for one, of at most its funding and with at least minimumBondedDelivery to deliver. acceptWork repeats and locks it, submitWorkResult returns it, the end of a delivered order if version 2 of the rules created it; a missed delivery pays it to the requester.',
      minimumFunding: {
        funding: policy.work.minimumFunding,
        verificationFee: verificationFeeOf(
          policy.work.minimumFunding,
          policy.work.verificationFeeBps,
        ),
        rule: 'Orders with less of either are done, verified and paid like all others. They earn no voting weight, qualify no referral and pass no gate: else a vote would cost a unet. They raise the limit of unfinished orders from version 2 of the rules on, once those with the usual fee have paid as much together. A missed or disputed one stands in no record of its worker: else a bad name would.',
      },
      disputes: {
        who: 'The side that loses otherwise: the requester of verified or unjudged work, the worker of rejected work. For orders without a rulesVersion, either party within disputeWindow after the work was verified.',
        bond: policy.work.disputeBond,
        resolution:
          'With a rulesVersion, the bond is half the funding. A larger second jury, paid from the bond, decides by its majority, else an operator; if there was no verdict, the other side must answer first, with the same bond or all it holds. Without a rulesVersion, the bond is work.disputeBond and an operator decides. The bonds go to the party in whose favour it ends.',
        timeout:
          'Unresolved after resolveWithin, the outcome of the vote stands. Without a vote, or after a rejection if a rare kind left no second jury, the funding is split and both bonds go to the reward pool.',
      },
      slashing: {
        part: `1/${SLASHED_PART} of the bond of the verifier`,
        goesTo: 'the reward pool',
        needs:
          'submitVerifierEvidence of an operator, with two intents of voteWork that the verifier itself has signed: ACCEPT and REJECT on one order. An order counts once, and nothing that others created alone can slash. A verdict that a party proves with proveVerdict slashes the jurors that voted against it',
      },
      limits: {
        openOrdersOfRequester: MAX_OPEN_ORDERS,
        unfinishedOrdersOfAgent: MAX_UNFINISHED_ORDERS,
        unfinishedOrdersOfUnprovenAgent: MAX_UNPROVEN_ORDERS,
        activeVerifiers: MAX_ROSTER,
      },
      actual: {
        activeVerifiers: counterOf(snapshot, 'active-verifiers'),
        verifierGroups: counterOf(snapshot, 'verifier-groups'),
        operatorGroups: verifierGroups(snapshot).ofOperators,
        paidOrders: counterOf(snapshot, 'work-orders-paid'),
        rejectedOrders: counterOf(snapshot, 'work-orders-rejected'),
      },
      boundaries: [
        'Votes are the judgement of bonded verifiers, not proof. The ledger runs no work and checks no ZK proof or TEE attestation.',
        'Independence groups are named by the operator who approves a verifier.',
        whoseVerifiers(verifierGroups(snapshot)),
        'deliverableHash is taken as given and never recomputed.',
        'jurors shows what an operator said of its own orders. Jurors that recognize such an order can behave on it alone.',
      ],
      jurors: (snapshot.get('verifier-roster', 'active')?.verifiers ?? []).flatMap(
        ({ verifierId }) => jurorRates(snapshot, verifierId) ?? [],
      ),
      links: {
        orders: '/v1/work-orders',
        proof: proofLink('policy', 'limits'),
      },
    };
  },
});

function whoseVerifiers({ all, ofOperators }: VerifierGroups): string {
  const named = `Groups named ${OPERATOR_GROUP_PREFIX}… belong to the operator of this network`;
  if (ofOperators === 0) return `${named}; there is none of them now.`;
  const most =
    ofOperators === all
      ? 'all groups are: every verdict is the operator’s own'
      : `${ofOperators} of ${all} are, and a committee may consist of them alone`;
  return `${named}: ${most}. They show how verification works; they do not protect from the operator.`;
}
