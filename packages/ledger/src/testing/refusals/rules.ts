import { hashOfDigit, testKey, workOrderOf } from '@netd/protocol/testing';
import { MAX_RULES_AHEAD } from '../../actions/rules/schedule.ts';
import { BUILD_HASH, decided as enacted, makeGovernor, released } from '../contributions.ts';
import { announcement, decided, scheduled, scheduleOf, withRules } from '../rules.ts';
import { grantOf } from '../sessions.ts';
import { OPERATOR, type TestChain } from '../test-chain.ts';
import { readyForWork, verified } from '../work.ts';
import { refuse, type RefusalCase } from './case.ts';
import { tokenOf, withTokens } from './tokens.ts';

const SCHEDULE = 'scheduleRules';
const CANCEL = 'cancelRules';
const ANNOUNCE = 'announceRules';
const RELEASE = { releaseId: 'r-1', artifactHash: BUILD_HASH };
const ELSEWHERE = { genesisHash: hashOfDigit('e') };

/** val-a validates under a set that changes. */
function withTerms(chain: TestChain): TestChain {
  const validatorSet = chain.ledger.validatorSetAt(0);
  chain.ledger.seed('validator-set', '0', { fromHeight: 0, number: 0, validatorSet });
  chain.ledger.seed('validator-term', 'current', { lastHeight: 1_000_000, set: 0 });
  chain.seedAuthority('val-a', { roles: ['VALIDATOR'] });
  return chain;
}

const elsewhere = (
  subject: string,
  provoke: RefusalCase['provoke'],
  rule = 'it was meant for a chain with another genesis',
): RefusalCase =>
  refuse(subject, 'GENESIS_HASH_MISMATCH', rule, (chain) => provoke(withRules(chain)));

const early = (subject: string, provoke: RefusalCase['provoke']): RefusalCase =>
  refuse(subject, 'RULES_NOT_ACTIVE', 'version 1 of the rules has no genesisHash', provoke);

/** @param members of the contribution whose release schedules version 4 */
const mismatch = (rule: string, members: { rulesVersion?: number }): RefusalCase =>
  refuse(SCHEDULE, 'RELEASE_RULES_MISMATCH', rule, (chain) =>
    released(withRules(chain), members).intent(
      'alice',
      SCHEDULE,
      scheduleOf(chain, { ...RELEASE, version: 4 }),
    ),
  );

const payloadOf = ({ envelope }: ReturnType<RefusalCase['provoke']>) =>
  envelope['payload'] as Record<string, string>;

export const RULES_REFUSALS: RefusalCase[] = [
  elsewhere('SignedIntent', (chain) =>
    chain.intent('alice', 'faucet', { amount: 1 }, { extra: ELSEWHERE }),
  ),
  elsewhere('AgentRegistration', (chain) => chain.registration('dave', { extra: ELSEWHERE })),
  elsewhere('OperatorApplication', (chain) => chain.application('dave', 'HUMAN', ELSEWHERE)),
  elsewhere('InvitationClaim', (chain) => chain.claim('alice', 'none', ELSEWHERE)),
  elsewhere(
    'OperatorApplication',
    (chain) => chain.application('dave', 'HUMAN', { genesisHash: 5 }),
    'a number is no genesis hash',
  ),
  elsewhere('rotateAgentKey', (chain) => {
    const payload = payloadOf(chain.rotation('alice', testKey('alice 2')));
    return chain.intent('alice', 'rotateAgentKey', { ...payload, ...ELSEWHERE });
  }),
  elsewhere('grantSession', (chain) => grantOf(chain, 'alice', 's-1', { members: ELSEWHERE })),
  refuse('SignedIntent', 'TEXT_HIDDEN', 'readers must see a name as it is', (chain) =>
    withTokens(withRules(chain)).intent('alice', 'createToken', tokenOf({ name: 'Go\u202Eld' })),
  ),
  refuse('SignedIntent', 'TEXT_HIDDEN', 'a title is one line', (chain) =>
    readyForWork(withRules(chain)).intent(
      'alice',
      'createWorkOrder',
      workOrderOf('o-1', { title: 'a\nb' }),
    ),
  ),
  refuse('SignedIntent', 'TEXT_HIDDEN', 'owners read the label of a session', (chain) =>
    grantOf(withRules(chain), 'alice', 's-1', { members: { label: 'a\u200Bb' } }),
  ),
  refuse('createToken', 'SYMBOL_RESERVED', 'NET is the money of the network', (chain) =>
    withTokens(withRules(chain)).intent('alice', 'createToken', tokenOf({ symbol: 'uNet' })),
  ),
  early('SignedIntent', (chain) => {
    const genesisHash = chain.record('chain', 'identity')?.genesisHash ?? '';
    return chain.intent('alice', 'faucet', { amount: 1 }, { extra: { genesisHash } });
  }),
  early('AgentRegistration', (chain) => chain.registration('dave', { extra: ELSEWHERE })),
  early('SignedIntent', (chain) => {
    const payload = payloadOf(chain.rotation('alice', testKey('alice 2')));
    return chain.intent('alice', 'rotateAgentKey', { ...payload, ...ELSEWHERE });
  }),
  refuse('declareConditionKinds', 'ROLE_NOT_HELD', 'only verifiers judge conditions', (chain) => {
    const payload = { verifierId: OPERATOR, conditionKinds: ['review'] };
    return withRules(chain).intent(OPERATOR, 'declareConditionKinds', payload);
  }),
  refuse('publishAnswer', 'WORK_ORDER_UNKNOWN', 'only orders have an answer', (chain) =>
    withRules(chain).intent(OPERATOR, 'publishAnswer', { orderId: 'o-1', answer: 'ACCEPT' }),
  ),
  refuse('publishAnswer', 'WORK_NOT_MEASURED', 'no jury is measured before the end', (chain) =>
    verified(withRules(chain), { sealedVotes: false }).intent(OPERATOR, 'publishAnswer', {
      orderId: 'o-1',
      answer: 'ACCEPT',
    }),
  ),
  refuse(
    'rotateAgentKey',
    'ROTATION_SIGNATURE_INVALID',
    'a payload with the genesis hash needs a signature over it',
    (chain) => {
      const nonce = chain.freshNonce();
      const payload = payloadOf(chain.rotation('alice', testKey('alice 2'), { nonce }));
      const genesisHash = withRules(chain).record('chain', 'identity')?.genesisHash ?? '';
      return chain.intent('alice', 'rotateAgentKey', { ...payload, genesisHash }, { nonce });
    },
  ),
  ...['network-admin', 'verifier-1', 'netescrow-0', 'root.agent'].map((name) =>
    refuse('AgentRegistration', 'NAME_RESERVED', `${name} is, from version 2 on`, (chain) =>
      withRules(chain).registration(name),
    ),
  ),

  refuse(SCHEDULE, 'RULES_VERSION_PAST', 'the active version is not scheduled', (chain) =>
    withRules(chain).intent(OPERATOR, SCHEDULE, scheduleOf(chain)),
  ),
  refuse(SCHEDULE, 'RULES_ALREADY_SCHEDULED', 'one version is scheduled at a time', (chain) =>
    scheduled(chain).intent(OPERATOR, SCHEDULE, scheduleOf(chain, { version: 3 })),
  ),
  refuse(SCHEDULE, 'RULES_HEIGHT_INVALID', 'the notice is at least the timelock', (chain) => {
    const { height } = scheduleOf(chain);
    return chain.intent(OPERATOR, SCHEDULE, scheduleOf(chain, { height: Number(height) - 1 }));
  }),
  refuse(SCHEDULE, 'RULES_HEIGHT_INVALID', 'a schedule cannot block others for ever', (chain) => {
    const height = chain.height + 1 + MAX_RULES_AHEAD + 1;
    return chain.intent(OPERATOR, SCHEDULE, scheduleOf(chain, { height }));
  }),
  refuse(SCHEDULE, 'RELEASE_REQUIRED', 'a governor alone schedules nothing', (chain) => {
    makeGovernor(chain, 'bob');
    return chain.intent('bob', SCHEDULE, scheduleOf(chain));
  }),
  refuse(SCHEDULE, 'RELEASE_UNKNOWN', 'a release must exist', (chain) => {
    makeGovernor(chain, 'bob');
    return chain.intent('bob', SCHEDULE, scheduleOf(chain, { releaseId: 'r-1' }));
  }),
  refuse(SCHEDULE, 'RELEASE_UNKNOWN', 'a candidate is no release', (chain) =>
    enacted(chain).intent('alice', SCHEDULE, scheduleOf(chain, { releaseId: 'r-1' })),
  ),
  refuse(SCHEDULE, 'RELEASE_ARTIFACT_MISMATCH', 'a release has one artifact', (chain) =>
    released(chain).intent('alice', SCHEDULE, scheduleOf(chain, { releaseId: 'r-1' })),
  ),
  mismatch('the chambers voted for no version', {}),
  mismatch('the chambers voted for another version', { rulesVersion: 3 }),

  refuse(CANCEL, 'RULES_NOT_SCHEDULED', 'nothing is', (chain) =>
    chain.intent(OPERATOR, CANCEL, { version: 2 }),
  ),
  refuse(CANCEL, 'RULES_NOT_SCHEDULED', 'another version is', (chain) =>
    scheduled(chain).intent(OPERATOR, CANCEL, { version: 3 }),
  ),
  refuse(CANCEL, 'RULES_NOT_SCHEDULED', 'it is too late', (chain) =>
    decided(scheduled(chain)).intent(OPERATOR, CANCEL, { version: 2 }),
  ),
  refuse(CANCEL, 'RULES_SCHEDULED_BY_ANOTHER', 'governors cancel what is theirs', (chain) => {
    released(chain).does('alice', SCHEDULE, scheduleOf(chain, RELEASE));
    return chain.intent('carol', CANCEL, { version: 2 });
  }),

  refuse(ANNOUNCE, 'VALIDATOR_SET_FIXED', 'the schedule speaks for a fixed set', (chain) => {
    chain.seedAuthority('val-a', { roles: ['VALIDATOR'] });
    return scheduled(chain).intent('val-a', ANNOUNCE, announcement('val-a'));
  }),
  refuse(ANNOUNCE, 'RULES_NOT_SCHEDULED', 'nothing is', (chain) =>
    withTerms(chain).intent('val-a', ANNOUNCE, announcement('val-a')),
  ),
  refuse(ANNOUNCE, 'RULES_NOT_SCHEDULED', 'another release is', (chain) =>
    scheduled(withTerms(chain)).intent(
      'val-a',
      ANNOUNCE,
      announcement('val-a', { artifactHash: BUILD_HASH }),
    ),
  ),
  refuse(ANNOUNCE, 'RULES_ALREADY_ANNOUNCED', 'once is enough', (chain) =>
    scheduled(withTerms(chain))
      .does('val-a', ANNOUNCE, announcement('val-a'))
      .intent('val-a', ANNOUNCE, announcement('val-a')),
  ),
  refuse(ANNOUNCE, 'RULES_NOT_ANNOUNCED', 'there is nothing to withdraw', (chain) =>
    scheduled(withTerms(chain)).intent(
      'val-a',
      ANNOUNCE,
      announcement('val-a', { withdraw: true }),
    ),
  ),
];
