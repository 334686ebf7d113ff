/** Trust checks with the meaning of each failure. They are evidence, never a permission score. */
import { Hash, OPERATOR_GROUP_PREFIX, ProtectiveDelay, RECENT_ROOTS } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Fork, FORK_PATH, forkOf } from '../chain/fork-evidence.ts';
import { BlockFacts } from '../shared/facts.ts';
import { Boundaries } from '../shared/boundaries.ts';
import { Link, proofLink } from '../shared/links.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { firstHeight } from '../shared/first-height.ts';
import { chainIntegrity, INTEGRITY_CHECKS } from '../shared/integrity.ts';
import {
  NetworkIdentity,
  networkIdentity,
  Participation,
  participation,
} from '../shared/network-facts.ts';
import { counterOf } from '../shared/counter.ts';
import { fewestToStop, powerByDomain } from '../shared/voting-power.ts';
import { verifierGroups } from '../shared/verifier-groups.ts';
import { defineDocument } from '../shared/read-document.ts';

/** Honest origins rarely differ by more blocks. */
const RECENT_BLOCKS = 16;
/** The smallest set that tolerates one fault (3f + 1). */
const FAULT_TOLERANT_VALIDATORS = 4;
/** Minimum number of fault domains that together stop the chain. One must not be enough. */
const DOMAINS_TO_STOP = 2;
const VERIFIER_GROUPS = 2;
/** With a shorter delay, a thief could replace the key before its owner notices. */
const RECOVERY_MILLISECONDS = 600_000;

const Check = exactly({
  id: Type.String(),
  kind: Type.Enum(['INTEGRITY', 'INDEPENDENCE', 'PROTECTION', 'ACTIVITY']),
  pass: Type.Boolean(),
  actual: Type.Union([Type.Integer(), Type.Boolean()]),
  required: Type.Union([Type.Integer(), Type.Boolean()]),
  meaning: Type.String(),
  source: Link,
});
type Check = Static<typeof Check>;

const Finality = exactly({
  mode: NetworkIdentity.properties.mode,
  scheme: Type.String(),
  validators: Type.Integer(),
  faultDomains: Type.Integer(),
  quorum: Type.Integer(),
  totalVotingPower: Type.Integer(),
  toleratedVotingPower: Type.Integer({ description: 'What may be missing from a quorum.' }),
  toleratedFaults: Type.Integer({
    description: 'Validators that may fail without harm, whichever they are, by voting power.',
  }),
  domainsToStop: Type.Integer({
    description: 'Fault domains that can stop the chain together, the fewest there are.',
  }),
  meaning: Type.String(),
});

const SINGLE_VALIDATOR_MEANING =
  'One key orders and certifies every block. It cannot forge your signature or break the rules unnoticed by a replay, but it can leave transitions out, stop, or sign two histories. Certificates prove which history it showed you; comparing with others shows whether it told all the same.';
const MAJORITY_MEANING =
  'A block is final when more than two thirds of the voting power have certified it. That protects as far as the validators are independent: see faultDomains.';

export const agentTrust = defineDocument({
  name: 'NET-AGENT-TRUST-REPORT/1',
  route: '/v1/agent-trust',
  operationId: 'getAgentTrust',
  tag: 'agents',
  summary: 'Checks that can fail, finality, protection; comparable between origins',
  description:
    'Evidence for deciding how far to rely on this network. It is never a permission score.',
  fingerprint: 'reportHash',
  content: {
    network: NetworkIdentity,
    summary: exactly({
      integrity: Type.Boolean(),
      passed: Type.Integer(),
      failed: Type.Array(Type.String()),
      reading: Type.String(),
    }),
    checks: Type.Array(Check),
    fork: orNull(
      Fork,
      `Two histories that the validators have certified, if this node has found them; headers and certificates are at ${FORK_PATH}.`,
    ),
    finality: Finality,
    recovery: exactly(
      {
        delay: ProtectiveDelay,
        keyRotations: Type.Integer(),
        keyRecoveries: Type.Integer(),
        authoritiesRevoked: Type.Integer(),
      },
      { description: 'How keys are replaced, and how often that has happened.' },
    ),
    participation: Participation,
    comparison: exactly({
      how: Type.String(),
      mustEqual: Type.Array(Type.String(), {
        description: 'JSON Pointers of what honest origins of one network never differ in.',
      }),
      recentBlocks: Type.Array(BlockFacts, {
        description: `This block and up to ${RECENT_BLOCKS - 1} before it, newest first.`,
      }),
    }),
    evidence: evidenceSchema(),
    boundaries: Boundaries,
    reportHash: Hash,
  },
  build: (snapshot) => {
    const checks = allChecks(snapshot);
    const failed = checks.filter(({ pass }) => !pass).map(({ id }) => id);
    const count = (name: 'key-rotations' | 'key-recoveries' | 'authorities-revoked'): number =>
      counterOf(snapshot, name);
    return {
      network: networkIdentity(snapshot),
      summary: {
        integrity: checks.every(({ kind, pass }) => pass || kind !== 'INTEGRITY'),
        passed: checks.length - failed.length,
        failed,
        reading:
          'A failed INTEGRITY check means: do not rely on this origin. Any other failed check is a fact to weigh. No number of passes entitles to anything.',
      },
      checks,
      fork: forkOf(snapshot),
      finality: finality(snapshot),
      recovery: {
        delay: recoveryDelay(snapshot),
        keyRotations: count('key-rotations'),
        keyRecoveries: count('key-recoveries'),
        authoritiesRevoked: count('authorities-revoked'),
      },
      participation: participation(snapshot),
      comparison: {
        how: 'Fetch this report from several origins that you chose yourself. At equal heights the bytes are equal, so reportHash is. At different heights look for the lower block in recentBlocks of the higher report, or ask the higher origin for /v1/blocks/{height}: blockHash must be equal. Different hashes at one height prove that two histories were certified.',
        mustEqual: ['/chainId', '/network/genesisHash', '/network/genesisTime'],
        recentBlocks: recentBlocks(snapshot),
      },
      evidence: evidenceOf([
        'chain/identity',
        'policy/limits',
        'verifier-roster/active',
        'commitment/latest',
      ]),
      links: {
        verify: '/v1/chain/verify',
        validatorSet: '/v1/consensus/validator-set',
        certificate: '/v1/consensus/certificates/latest',
        validation: '/v1/validation',
        readiness: '/v1/mainnet/readiness',
        nodes: '/v1/nodes',
        fork: FORK_PATH,
      },
      boundaries: ['This is evidence, not a permission score: it grants nothing and ranks no one.'],
    };
  },
});

function finality(snapshot: Snapshot): Static<typeof Finality> {
  const { validators, quorum, totalVotingPower } = snapshot.validatorSetAt(snapshot.height);
  const toleratedVotingPower = totalVotingPower - quorum;
  const powers = validators.map(({ votingPower }) => votingPower);
  return {
    mode: networkIdentity(snapshot).mode,
    scheme: snapshot.block.certificate.scheme,
    validators: validators.length,
    faultDomains: new Set(validators.map(({ faultDomain }) => faultDomain)).size,
    quorum,
    totalVotingPower,
    toleratedVotingPower,
    toleratedFaults: fewestToStop(powers, toleratedVotingPower) - 1,
    domainsToStop: fewestToStop(powerByDomain(validators), toleratedVotingPower),
    meaning: validators.length === 1 ? SINGLE_VALIDATOR_MEANING : MAJORITY_MEANING,
  };
}

function recoveryDelay(snapshot: Snapshot): { heights: number; milliseconds: number } {
  return snapshot.get('policy', 'limits')?.recoveryDelay ?? { heights: 0, milliseconds: 0 };
}

function recentBlocks(
  snapshot: Snapshot,
): { height: number; blockHash: string; stateRoot: string }[] {
  const { height } = snapshot;
  return Array.from(
    { length: Math.min(RECENT_BLOCKS, height + 1 - firstHeight(snapshot)) },
    (_, i) => {
      const block = snapshot.blockAt(height - i);
      if (!block) throw new Error(`block ${height - i} is missing`);
      const { blockHash, stateRoot } = block.certificate;
      return { height: height - i, blockHash, stateRoot };
    },
  );
}

/** Returns a check. It passes if a boolean is true, or a count reaches `required`. */
function check(
  kind: Check['kind'],
  [id, actual, required = 1]: [id: string, actual: boolean | number, required?: number],
  source: string,
  meaning: string,
): Check {
  const facts =
    typeof actual === 'boolean'
      ? { pass: actual, actual, required: true }
      : { pass: actual >= required, actual, required };
  return { id, kind, meaning, source, ...facts };
}

const VALIDATOR_SET = '/v1/consensus/validator-set';
const ROSTER = proofLink('verifier-roster', 'active');

const allChecks = (snapshot: Snapshot): Check[] => [
  ...integrityChecks(snapshot),
  ...independenceChecks(snapshot),
  check(
    'PROTECTION',
    ['signed-only', !networkIdentity(snapshot).open],
    '/v1/network',
    'Every change is signed by its actor. An open chain takes unsigned payloads from its own machine.',
  ),
  check(
    'PROTECTION',
    ['recovery-delay', recoveryDelay(snapshot).milliseconds, RECOVERY_MILLISECONDS],
    proofLink('policy', 'limits'),
    'Milliseconds in which an owner can stop guardians from replacing its key.',
  ),
  check(
    'ACTIVITY',
    ['verified-work', participation(snapshot).workOrders.paid],
    '/v1/work-orders?status=PAID',
    'Orders that went all the way to verified payment. Zero: it has not been shown yet that it works here.',
  ),
];

const integrityChecks = (snapshot: Snapshot): Check[] => [
  ...chainIntegrity(snapshot).checks.map(({ id, pass }) =>
    check('INTEGRITY', [id, pass], `/v1/blocks/${snapshot.height}`, INTEGRITY_CHECKS[id]),
  ),
  check(
    'INTEGRITY',
    ['roots-in-state', rootsAreInState(snapshot)],
    proofLink('commitment', 'latest'),
    'The certified state holds the roots of the newest transitions and events, and the block before them.',
  ),
  check(
    'INTEGRITY',
    ['one-history', snapshot.forkText() === null],
    FORK_PATH,
    'This node has found no block that the validators certified against its own. If it has, do not rely on this network before its people have said which history is theirs.',
  ),
];

function independenceChecks(snapshot: Snapshot): Check[] {
  const { validators, faultDomains, domainsToStop } = finality(snapshot);
  const { infrastructure } = participation(snapshot);
  const groups = verifierGroups(snapshot);
  return [
    check(
      'INDEPENDENCE',
      ['independent-validators', validators, FAULT_TOLERANT_VALIDATORS],
      VALIDATOR_SET,
      'With fewer, one validator that fails or lies can stop or fork the chain.',
    ),
    check(
      'INDEPENDENCE',
      ['fault-domains', faultDomains, FAULT_TOLERANT_VALIDATORS],
      VALIDATOR_SET,
      'Validators that fail together count as one. Domains are declared, not measured.',
    ),
    check(
      'INDEPENDENCE',
      ['domains-to-stop', domainsToStop, DOMAINS_TO_STOP],
      VALIDATOR_SET,
      'Fault domains that together hold more voting power than may be missing, the most powerful first: with one, its operator stops the chain.',
    ),
    check(
      'INDEPENDENCE',
      ['verifier-groups', groups.all, VERIFIER_GROUPS],
      ROSTER,
      'With fewer independence groups no work can be verified, and every order ends in a refund.',
    ),
    check(
      'INDEPENDENCE',
      ['independent-verifier-groups', groups.all - groups.ofOperators, VERIFIER_GROUPS],
      ROSTER,
      `Groups named ${OPERATOR_GROUP_PREFIX}… belong to the operator of this network. With fewer others, the operator alone can have work verified or rejected.`,
    ),
    check(
      'INDEPENDENCE',
      ['auditors', infrastructure.auditors],
      proofLink('counter', 'active-auditors'),
      'Without auditors there is no independent review of contributions, and no findings.',
    ),
    check(
      'INDEPENDENCE',
      ['follower-nodes', infrastructure.followerNodes],
      '/v1/nodes',
      'Without followers no other node is known to hold and check this chain.',
    ),
  ];
}

/** Returns true if the certified state commits to the block's lists and its predecessor. */
function rootsAreInState(snapshot: Snapshot): boolean {
  const { header } = snapshot.block;
  if (header.transitionCount === 0) return true;
  const commitment = snapshot.get('commitment', 'latest');
  const before = snapshot.get('recent-root', String((header.height - 1) % RECENT_ROOTS));
  return (
    commitment?.transitionsRoot === header.transitionsRoot &&
    commitment.eventsRoot === header.eventsRoot &&
    before?.height === header.height - 1 &&
    before.blockHash === header.previousBlockHash
  );
}
