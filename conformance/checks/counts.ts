/** Counts and conclusions in documents follow from the certified state. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import {
  hashValue,
  type JsonObject,
  type JsonValue,
  type GenesisPolicy,
  type ValidatorSet,
} from '@netd/protocol';
import {
  certifiedBlock,
  certifiedState,
  documentWithState,
  genesisOf,
  proofWithState,
  setOf,
  type CertifiedState,
} from '../certified-state.ts';
import { check } from '../check.ts';
import { expectFingerprint, textOf } from '../expect.ts';
import type { Http } from '../http.ts';

/** Returns the participation counters of the state. */
function participationIn(state: CertifiedState): JsonObject {
  const count = (name: string): number => state.counter(name);
  const orders = (status: string): number => count(`work-orders-${status}`);
  return {
    agents: { registered: count('agents'), active: count('active-agents') },
    infrastructure: {
      auditors: count('active-auditors'),
      runtimeProviders: count('active-runtime-providers'),
      validatorCandidates: count('active-validator-candidates'),
      verifiers: count('active-verifiers'),
    },
    memory: {
      checkpoints: count('memory-checkpoints'),
      handovers: count('memory-handovers'),
      openHandovers: count('open-memory-handovers'),
    },
    messages: { committed: count('messages'), live: count('live-messages') },
    referrals: referralsIn(state),
    tokens: count('tokens'),
    workOrders: {
      created: count('work-orders'),
      open: orders('open'),
      accepted: orders('accepted'),
      verifying: orders('verifying'),
      paid: orders('paid'),
      rejected: orders('rejected'),
    },
  };
}

function referralsIn(state: CertifiedState): { pending: number; qualified: number } {
  const qualified = state.counter('qualified-referrals');
  return { pending: state.counter('referrals') - qualified, qualified };
}

/** Counters of a collection's records, or of those with this value in a member. */
const COUNTED: [counter: string, collection: string, member?: string, value?: JsonValue][] = [
  ['agents', 'agent'],
  ['active-agents', 'agent', 'status', 'active'],
  ['referrals', 'referral'],
  ['qualified-referrals', 'referral', 'status', 'qualified'],
  ['work-orders', 'order'],
  ['work-orders-open', 'order', 'status', 'OPEN'],
  ['work-orders-accepted', 'order', 'status', 'ACCEPTED'],
  ['work-orders-verifying', 'order', 'status', 'VERIFYING'],
  ['work-orders-paid', 'order', 'status', 'PAID'],
  ['work-orders-rejected', 'order', 'status', 'REJECTED'],
  ['memory-checkpoints', 'memory-checkpoint'],
  ['memory-handovers', 'memory-handover'],
  ['tokens', 'token'],
  ['node-heartbeats', 'node-heartbeat'],
  ['contributions', 'contribution'],
  ['active-verifiers', 'verifier', 'active', true],
];

/** Gates that pass at or below the requirement. */
const AT_MOST = new Set(['secure-mode', 'open-critical-findings', 'open-high-findings']);

/** Gates by the state counter that they compare. */
const GATE_COUNTERS: Readonly<Record<string, string>> = {
  agents: 'active-agents',
  verifiers: 'active-verifiers',
  'verifier-groups': 'verifier-groups',
  'auditor-groups': 'auditor-groups',
  'runtime-providers': 'active-runtime-providers',
  'provider-fault-domains': 'provider-fault-domains',
  'validator-fault-domains': 'validator-fault-domains',
  'paid-orders': 'work-orders-paid',
  'qualified-referrals': 'qualified-referrals',
  'closed-audits': 'audit-engagements-closed',
  releases: 'releases',
  'wallet-channels': 'wallet-channels-attested',
};

/** Converts a gate's id to its name in the genesis policy: `verifier-groups` → `verifierGroups`. */
const policyName = (gate: string): string =>
  gate.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

interface Gate {
  id: string;
  pass: boolean;
  actual: JsonValue;
  required: JsonValue;
}

interface Integrity {
  checks: Gate[];
  valid: boolean;
}

/** Counts the independence groups named after the operator. */
function operatorGroupsIn(state: CertifiedState): number {
  const verifiers = state.collection('verifier-roster').flatMap(([, roster]) => {
    return roster['verifiers'] as unknown as { independenceGroup: string }[];
  });
  const groups = new Set(verifiers.map(({ independenceGroup }) => independenceGroup));
  return [...groups].filter((group) => group.startsWith('house-')).length;
}

/** Rejects a check unless `pass` follows from `actual` and `required`. */
function expectConclusion({ id, pass, actual, required }: Gate): void {
  const met =
    typeof required === 'number'
      ? AT_MOST.has(id)
        ? Number(actual) <= required
        : Number(actual) >= required
      : actual === required;
  assert.equal(
    pass,
    met,
    `${id} passes with ${textOf(actual)} where ${textOf(required)} is required`,
  );
}

/** Verifies every proof that a document refers to against the certified value. */
async function expectProofs(http: Http, document: JsonObject): Promise<void> {
  const { proofs = [] } = (document['evidence'] ?? {}) as { proofs?: string[] };
  for (const path of proofs) {
    const key = new URL(path, 'http://node').searchParams.get('key') ?? '';
    const { proof, state } = await proofWithState(http, path);
    assert.deepEqual(proof['value'] ?? null, state.get(key) ?? null, path);
  }
}

/** Returns the gates' delays in milliseconds. */
const delaysOf = ({ work, recoveryDelay, governance, operators }: GenesisPolicy) =>
  ({
    'dispute-window': work.disputeWindow.milliseconds,
    'recovery-delay': recoveryDelay.milliseconds,
    'voting-period': governance.votingPeriod.milliseconds,
    timelock: governance.timelock.milliseconds,
    'unbonding-delay': operators.unbondingDelay.milliseconds,
  }) as Record<string, number>;

/**
 * Returns the amounts to subtract from counters: verifiers whose vote has expired, and groups without another
 * member.
 */
function expiredVerifiers(state: CertifiedState, height: number): Record<string, number> {
  const roster = (state.get('verifier-roster/active') ?? { verifiers: [] }) as {
    verifiers: { verifierId: string; independenceGroup: string }[];
  };
  const voting = roster.verifiers.filter(({ verifierId }) => {
    const { capabilities } = state.record(`authority/${verifierId}`) as {
      capabilities: { action: string; expiresAtHeight?: number }[];
    };
    return capabilities.some(
      ({ action, expiresAtHeight = Infinity }) => action === 'voteWork' && expiresAtHeight > height,
    );
  });
  const groupsOf = (verifiers: typeof voting): number =>
    new Set(verifiers.map(({ independenceGroup }) => independenceGroup)).size;
  return {
    'active-verifiers': roster.verifiers.length - voting.length,
    'verifier-groups': groupsOf(roster.verifiers) - groupsOf(voting),
  };
}

/** Returns how many validators may fail, even the most powerful ones, while the rest keep a quorum. */
function faultsBorne({ validators, totalVotingPower, quorum }: ValidatorSet): number {
  const powers = validators.map(({ votingPower }) => votingPower).toSorted((a, b) => b - a);
  let held = 0;
  return powers.filter((power) => (held += power) <= totalVotingPower - quorum).length;
}

export const COUNT_CHECKS = [
  check(
    'the counters of the certified state count its records',
    ['get.state.checkpoint', 'document.state-checkpoint'],
    async ({ http }) => {
      const state = await certifiedState(http);
      for (const [counter, collection, member, value] of COUNTED) {
        const records = state
          .collection(collection)
          .filter(([, record]) => member === undefined || record[member] === value);
        assert.equal(state.counter(counter), records.length, counter);
      }
    },
  ),

  check(
    'the startup document counts who takes part, and its checks are all there',
    ['get.agent-startup', 'get.agent-startup.participation', 'get.agent-startup.integrity'],
    async ({ http }) => {
      const { document, state } = await documentWithState(http, '/v1/agent-startup');
      assert.partialDeepStrictEqual(document['participation'], participationIn(state));
      await expectNetwork(http, document['network'] as JsonObject);
      expectIntegrity(document);
      await expectProofs(http, document);
    },
  ),

  check(
    'the trust report counts who takes part, and passes what it should',
    ['get.agent-trust', 'document.agent-trust-report'],
    async ({ http }) => {
      const { document, state } = await documentWithState(http, '/v1/agent-trust');
      expectFingerprint(document, 'reportHash');
      assert.partialDeepStrictEqual(document['participation'], participationIn(state));
      await expectNetwork(http, document['network'] as JsonObject);
      const { genesis } = await genesisOf(http);
      const set = await setOfDocument(http, document);
      assert.partialDeepStrictEqual(document['finality'], {
        validators: set.validators.length,
        quorum: set.quorum,
        totalVotingPower: set.totalVotingPower,
        toleratedVotingPower: set.totalVotingPower - set.quorum,
        toleratedFaults: faultsBorne(set),
      });
      const checks = document['checks'] as unknown as (Gate & { kind: string })[];
      for (const gate of checks) expectConclusion(gate);
      expectIds(
        checks.filter(({ kind }) => kind === 'INTEGRITY'),
        [...INTEGRITY, 'roots-in-state', 'one-history'],
      );
      const actual = Object.fromEntries(checks.map((gate) => [gate.id, gate.actual]));
      assert.partialDeepStrictEqual(actual, {
        'independent-validators': set.validators.length,
        'verifier-groups': state.counter('verifier-groups'),
        'independent-verifier-groups': state.counter('verifier-groups') - operatorGroupsIn(state),
        auditors: state.counter('active-auditors'),
        'verified-work': state.counter('work-orders-paid'),
        'signed-only': !genesis.open,
      });
      const failed = checks.filter(({ pass }) => !pass).map(({ id }) => id);
      assert.partialDeepStrictEqual(document['summary'], {
        failed,
        passed: checks.length - failed.length,
        integrity: checks.every(({ kind, pass }) => kind !== 'INTEGRITY' || pass),
      });
      const { recentBlocks } = document['comparison'] as { recentBlocks: JsonObject[] };
      const { blocks } = await http.document('/v1/blocks?limit=100');
      const listed = (blocks as JsonObject[]).filter(
        ({ height }) => Number(height) <= Number(document['height']),
      );
      assert.ok(recentBlocks.length > 0, 'there is no block to compare');
      assert.deepEqual(
        recentBlocks,
        listed
          .slice(0, recentBlocks.length)
          .map(({ height, blockHash, stateRoot }) => ({ height, blockHash, stateRoot })),
      );
      await expectProofs(http, document);
    },
  ),

  check(
    'growth counts agents and referrals as they are, and its fingerprint holds',
    ['get.agent-growth', 'fingerprint.growthHash', 'document.agent-growth-control'],
    async ({ http }) => {
      const { document, state } = await documentWithState(http, '/v1/agent-growth');
      assert.equal(document['schema'], 'NET-AGENT-GROWTH-CONTROL/1');
      expectFingerprint(document, 'evidence.growthHash');
      assert.match(textOf(document['growthHash']), /^[a-f0-9]{64}$/);
      const { agents } = participationIn(state);
      const referrals = referralsIn(state);
      assert.partialDeepStrictEqual(document, {
        agents: agents as JsonObject,
        referrals: { ...referrals, total: referrals.pending + referrals.qualified },
        verifiedPaidOrders: state.counter('work-orders-paid'),
      });
    },
  ),

  check(
    'every gate of readiness follows from the state and the policy of genesis',
    ['get.mainnet-readiness', 'document.mainnet-readiness'],
    async ({ http }) => {
      const { document, state } = await documentWithState(http, '/v1/mainnet/readiness');
      const { genesis } = await genesisOf(http);
      const gates = document['gates'] as unknown as Gate[];
      const { delays = {}, ...counted } = genesis.policy.readiness;
      const policy: Record<string, number> = { ...counted, ...delays };
      const expired = expiredVerifiers(state, Number(document['height']));
      const given = delaysOf(genesis.policy);
      for (const gate of gates) {
        expectConclusion(gate);
        const { id, actual, required } = gate;
        const counter = GATE_COUNTERS[id];
        if (counter !== undefined) {
          assert.equal(actual, state.counter(counter) - (expired[counter] ?? 0), id);
        }
        if (Object.hasOwn(given, id)) assert.equal(actual, given[id], id);
        const asked = policy[policyName(id)];
        if (asked !== undefined) assert.equal(required, asked, id);
      }
      const named = new Set(gates.map(({ id }) => policyName(id)));
      const expected = [...Object.keys(policy), ...[...AT_MOST].map(policyName)];
      const missing = expected.filter((name) => !named.has(name));
      assert.deepEqual(missing, [], 'the requested figure has no gate');
      assert.equal(document['readinessHash'], hashValue(gates));
      assert.equal(
        document['ready'],
        gates.every(({ pass }) => pass),
      );
    },
  ),

  check(
    'the policy of validation is that of genesis, and its counts are those of the state',
    ['get.validation', 'document.pouw-policy'],
    async ({ http }) => {
      const { document, state } = await documentWithState(http, '/v1/validation');
      const { genesis } = await genesisOf(http);
      assert.partialDeepStrictEqual(document['policy'], genesis.policy.work);
      assert.deepEqual(document['actual'], {
        activeVerifiers: state.counter('active-verifiers'),
        verifierGroups: state.counter('verifier-groups'),
        operatorGroups: operatorGroupsIn(state),
        paidOrders: state.counter('work-orders-paid'),
        rejectedOrders: state.counter('work-orders-rejected'),
      });
      const policies = state.collection('order').map(([, order]) => order['validationPolicy']);
      const used = policies.some((policy) => isDeepStrictEqual(policy, document['defaultPolicy']));
      assert.ok(used || policies.length === 0, 'no order came to have the policy called default');
    },
  ),

  check(
    'tokenomics says what the state has paid, and nothing is minted',
    ['get.tokenomics', 'document.tokenomics'],
    async ({ http }) => {
      const { document, state } = await documentWithState(http, '/v1/tokenomics');
      const totals = document['cumulativeTotals'] as { name: string; amount: number }[];
      assert.deepEqual(
        Object.fromEntries(
          totals.filter(({ amount }) => amount > 0).map((each) => [each.name, each.amount]),
        ),
        Object.fromEntries(
          state.collection('cumulative-total').map(([name, amount]) => [name, Number(amount)]),
        ),
      );
      assert.partialDeepStrictEqual(document['issuance'], {
        byRule: { minted: 0, burned: 0, inflationPpm: 0 },
      });
      const { classes } = document['supply'] as { classes: { ppm: number }[] };
      const whole = classes.reduce((sum, { ppm }) => sum + ppm, 0);
      assert.equal(whole, 1_000_000, 'the shares of the classes do not sum to the whole');
      const faucet = state.number('supply/faucet');
      const paid = state.number('cumulative-total/faucet');
      assert.partialDeepStrictEqual(document['faucet'], { left: faucet, paid });
      assert.partialDeepStrictEqual(document['fees'], {
        escrow: state.number('supply/escrow'),
        paidToWorkers: state.number('cumulative-total/work-paid'),
        paidToVerifiers: state.number('cumulative-total/verification-fees'),
      });
      await expectProofs(http, document);
      const { proofs } = document['evidence'] as { proofs: string[] };
      const proven = state
        .collection('supply')
        .map(([name]) => `/v1/state/proof?key=supply/${name}`);
      const without = proven.filter((path) => !proofs.includes(path));
      assert.deepEqual(without, [], 'a class of money without a proof');
    },
  ),

  check(
    'the topology names who certifies, and counts who reports',
    ['get.topology', 'document.network-topology'],
    async ({ http }) => {
      const { document, state } = await documentWithState(http, '/v1/topology');
      const set = await setOfDocument(http, document);
      assert.partialDeepStrictEqual(document['consensus'], {
        quorum: set.quorum,
        totalVotingPower: set.totalVotingPower,
        validators: set.validators.map(({ validatorId, votingPower, faultDomain }) => ({
          validatorId,
          votingPower,
          faultDomain,
        })),
      });
      assert.deepEqual(document['totals'], {
        certifyingValidators: set.validators.length,
        nodesReporting: state.counter('node-heartbeats'),
        runtimeProviders: state.counter('active-runtime-providers'),
        validatorCandidates: state.counter('active-validator-candidates'),
        validatorsReporting: state.counter('validator-heartbeats'),
      });
      const { items } = document['nodes'] as { items: JsonObject[] };
      const reporting = state.collection('node-heartbeat').map(([id]) => id);
      for (const { agentId } of items) assert.ok(reporting.includes(textOf(agentId)));
      assert.ok(items.length > 0 || reporting.length === 0, 'nodes report, and none is shown');
      await expectProofs(http, document);
    },
  ),
];

/** Returns the validator set that certified a document's block. */
async function setOfDocument(http: Http, document: JsonObject): Promise<ValidatorSet> {
  const { certificate } = await certifiedBlock(http, Number(document['height']));
  return setOf(http, certificate);
}

/** Checks that every integrity document must list. */
const INTEGRITY = [
  'block-hash',
  'predecessor-link',
  'certified-state-root',
  'certificate',
  'supply-conserved',
];

/** Rejects an integrity document unless it lists every check, all pass, and `valid` agrees. */
export function expectIntegrity(document: JsonObject): void {
  const { checks, valid } = document['integrity'] as unknown as Integrity;
  expectIds(checks, INTEGRITY);
  assert.deepEqual([valid, checks.every(({ pass }) => pass)], [true, true]);
}

function expectIds(checks: readonly { id: string }[], ids: readonly string[]): void {
  assert.deepEqual(checks.map(({ id }) => id).toSorted(), ids.toSorted());
}

/** Rejects a document whose network facts differ from genesis. */
async function expectNetwork(http: Http, network: JsonObject): Promise<void> {
  const { genesis, hash } = await genesisOf(http);
  const { epoch, genesisTime, open } = genesis;
  assert.partialDeepStrictEqual(network, { epoch, genesisTime, open, genesisHash: hash });
}
