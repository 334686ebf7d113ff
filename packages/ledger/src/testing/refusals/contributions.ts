import type { JsonObject } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import { MAX_OPEN_CONTRIBUTIONS } from '../../actions/contributions/contribution.ts';
import {
  buildOf,
  built,
  contributionOf,
  proposed,
  readyForContributions,
  released,
  reviewOf,
  seedAuditor,
  seedBuilder,
  submitted,
} from '../contributions.ts';
import { OPERATOR, type TestChain } from '../test-chain.ts';
import { pass, verified } from '../work.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import { refuse, type RefusalCase } from './case.ts';

const SUBMIT = 'submitProtocolContribution';
const ATTEST = 'attestProtocolBuild';
const REVIEW = 'reviewProtocolContribution';
const ATTRIBUTE = 'attributeContributionReceipt';

const revision = (chain: TestChain, members: JsonObject = {}) =>
  chain.intent(
    'bob',
    SUBMIT,
    contributionOf({
      contributionId: 'c-2',
      contentHash: hashOfDigit('3'),
      supersedes: 'c-1',
      ...members,
    }),
  );

const attribution = (members: JsonObject = {}): JsonObject => ({
  agentId: 'bob',
  contributionId: 'c-1',
  orderId: 'o-1',
  ...members,
});

function paid(chain: TestChain): TestChain {
  pass(verified(chain), DEVNET_POLICY.work.disputeWindow);
  return chain
    .does('alice', 'settleVerifiedWork', { orderId: 'o-1' })
    .does('bob', SUBMIT, contributionOf());
}

export const CONTRIBUTION_REFUSALS: RefusalCase[] = [
  refuse(
    SUBMIT,
    'CONTRIBUTION_ID_USED',
    'a contribution id is used once across all agents',
    (chain) =>
      submitted(chain).intent(
        'carol',
        SUBMIT,
        contributionOf({ agentId: 'carol', contentHash: hashOfDigit('3') }),
      ),
  ),
  refuse(SUBMIT, 'CONTRIBUTION_UNKNOWN', 'only what is there can be revised', (chain) =>
    revision(chain),
  ),
  refuse(
    SUBMIT,
    'NOT_CONTRIBUTION_AUTHOR',
    'an agent cannot revise the contribution of another',
    (chain) =>
      submitted(chain).intent(
        'carol',
        SUBMIT,
        contributionOf({
          agentId: 'carol',
          contributionId: 'c-2',
          contentHash: hashOfDigit('3'),
          supersedes: 'c-1',
        }),
      ),
  ),
  refuse(SUBMIT, 'CONTRIBUTION_STATUS', 'a contribution is superseded once', (chain) => {
    submitted(chain).submit(revision(chain));
    return revision(chain, { contributionId: 'c-3', contentHash: hashOfDigit('4') });
  }),
  refuse(SUBMIT, 'CONTRIBUTION_STATUS', 'what was released is not revised', (chain) =>
    revision(released(chain)),
  ),
  refuse(SUBMIT, 'CONTRIBUTION_UNDER_VOTE', 'nothing changes under those who vote', (chain) =>
    revision(proposed(chain)),
  ),
  refuse(
    SUBMIT,
    'CONTRIBUTION_CONTENT_TAKEN',
    'an agent cannot submit the content of another',
    (chain) =>
      submitted(chain).intent(
        'carol',
        SUBMIT,
        contributionOf({ agentId: 'carol', contributionId: 'c-2' }),
      ),
  ),
  refuse(
    SUBMIT,
    'CONTRIBUTION_CONTENT_TAKEN',
    'an author cannot submit the same content twice',
    (chain) => submitted(chain).intent('bob', SUBMIT, contributionOf({ contributionId: 'c-2' })),
  ),
  refuse(SUBMIT, 'CONTRIBUTION_LIMIT_REACHED', 'an author has a bounded number open', (chain) => {
    const offer = (i: number): JsonObject =>
      contributionOf({ contributionId: `c-${i}`, contentHash: String(i).padStart(64, '0') });
    for (let i = 0; i < MAX_OPEN_CONTRIBUTIONS; i++) chain.does('bob', SUBMIT, offer(i));
    return chain.intent('bob', SUBMIT, offer(MAX_OPEN_CONTRIBUTIONS));
  }),

  refuse(ATTEST, 'CONTRIBUTION_UNKNOWN', 'an attestation names an existing contribution', (chain) =>
    readyForContributions(chain).intent('vera', ATTEST, buildOf('vera')),
  ),
  refuse(ATTEST, 'CONTRIBUTION_STATUS', 'a build is attested before the review', (chain) =>
    built(chain).intent('viki', ATTEST, buildOf('viki')),
  ),
  refuse(ATTEST, 'VERIFIER_UNKNOWN', 'even an operator is no verifier', (chain) =>
    submitted(chain).intent(OPERATOR, ATTEST, buildOf(OPERATOR)),
  ),
  refuse(ATTEST, 'VERIFIER_BOND_EMPTY', 'who has nothing to lose attests nothing', (chain) => {
    submitted(chain);
    seedBuilder(chain, 'vlad', { bond: 0 });
    return chain.intent('vlad', ATTEST, buildOf('vlad'));
  }),
  refuse(ATTEST, 'OWN_CONTRIBUTION', 'an author does not attest its own build', (chain) => {
    submitted(chain).fund('bob', 100_000_000);
    chain.install('bob', 'VERIFIER', { capabilities: [{ action: ATTEST }] });
    return chain.intent('bob', ATTEST, buildOf('bob'));
  }),
  refuse(ATTEST, 'OWN_CONTRIBUTION', 'nor does the group the author audits for', (chain) => {
    submitted(chain);
    seedBuilder(chain, 'vlad', { independenceGroup: 'group-bob' });
    chain.install('bob', 'AUDITOR', { capabilities: [{ action: REVIEW }] });
    return chain.intent('vlad', ATTEST, buildOf('vlad'));
  }),
  refuse(ATTEST, 'INDEPENDENCE_GROUP_HEARD', 'each group attests once', (chain) => {
    submitted(chain).does('vera', ATTEST, buildOf('vera'));
    seedBuilder(chain, 'vlad', { independenceGroup: 'group-vera' });
    return chain.intent('vlad', ATTEST, buildOf('vlad'));
  }),

  refuse(REVIEW, 'CONTRIBUTION_UNKNOWN', 'a review names an existing contribution', (chain) =>
    readyForContributions(chain).intent('anna', REVIEW, reviewOf('anna')),
  ),
  refuse(REVIEW, 'CONTRIBUTION_STATUS', 'no review before the build is verified', (chain) =>
    submitted(chain).intent('anna', REVIEW, reviewOf('anna')),
  ),
  refuse(REVIEW, 'AUDITOR_UNKNOWN', 'even an operator is no auditor', (chain) =>
    built(chain).intent(OPERATOR, REVIEW, reviewOf(OPERATOR)),
  ),
  refuse(REVIEW, 'OWN_CONTRIBUTION', 'an author does not review its own work', (chain) => {
    built(chain).install('bob', 'AUDITOR', { capabilities: [{ action: REVIEW }] });
    return chain.intent('bob', REVIEW, reviewOf('bob'));
  }),
  refuse(REVIEW, 'OWN_CONTRIBUTION', 'nor does the group the author verifies for', (chain) => {
    built(chain).fund('bob', 100_000_000);
    chain.install('bob', 'VERIFIER', { capabilities: [{ action: ATTEST }] });
    seedAuditor(chain, 'abel', { independenceGroup: 'group-bob' });
    return chain.intent('abel', REVIEW, reviewOf('abel'));
  }),
  refuse(REVIEW, 'INDEPENDENCE_GROUP_HEARD', 'each group reviews once', (chain) => {
    built(chain).does('anna', REVIEW, reviewOf('anna'));
    seedAuditor(chain, 'abel', { independenceGroup: 'group-anna' });
    return chain.intent('abel', REVIEW, reviewOf('abel'));
  }),

  refuse(ATTRIBUTE, 'CONTRIBUTION_UNKNOWN', 'work went into what is there', (chain) =>
    chain.intent('bob', ATTRIBUTE, attribution()),
  ),
  refuse(ATTRIBUTE, 'NOT_CONTRIBUTION_AUTHOR', 'work goes into own contributions', (chain) =>
    paid(chain).intent('carol', ATTRIBUTE, attribution({ agentId: 'carol' })),
  ),
  refuse(ATTRIBUTE, 'WORK_RECEIPT_UNKNOWN', 'only paid work is attributed', (chain) =>
    verified(chain).does('bob', SUBMIT, contributionOf()).intent('bob', ATTRIBUTE, attribution()),
  ),
  refuse(ATTRIBUTE, 'NOT_RECEIPT_WORKER', 'only own work is attributed', (chain) =>
    paid(chain)
      .does(
        'carol',
        SUBMIT,
        contributionOf({
          agentId: 'carol',
          contributionId: 'c-2',
          contentHash: hashOfDigit('3'),
        }),
      )
      .intent('carol', ATTRIBUTE, attribution({ agentId: 'carol', contributionId: 'c-2' })),
  ),
  refuse(ATTRIBUTE, 'RECEIPT_ALREADY_ATTRIBUTED', 'a receipt counts once', (chain) =>
    paid(chain).does('bob', ATTRIBUTE, attribution()).intent('bob', ATTRIBUTE, attribution()),
  ),
];
