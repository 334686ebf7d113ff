import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { stateRoot, TOTAL_SUPPLY, type JsonObject, type SignedIntent } from '@netd/protocol';
import { CLASS_NAMES, classOf } from './accounting-classes.ts';
import { agentStatsOf } from './agent-stats.ts';
import { ACTIONS } from './actions/registry.ts';
import { BlockExecution, type ExecutedBlock, type Submission } from './block-execution.ts';
import type { AccountRecord } from './actions/accounts/records.ts';
import type { AgentStatsRecord, ReferralRecord } from './actions/agents/records.ts';
import { OPEN_FINDING_COUNTERS } from './actions/readiness/audit.ts';
import type { AuditEngagementRecord, AuditFindingRecord } from './actions/readiness/records.ts';
import type { AuthorityRecord, SpentNonce } from './chain-records.ts';
import type { KeyRecord } from './actions/keys/records.ts';
import type { MemoryHandoverRecord, MemoryRecord } from './actions/memory/records.ts';
import type { MessageRecord } from './actions/messages/records.ts';
import type { TokenHolderRecord, TokenRecord } from './actions/tokens/records.ts';
import type { DelegatorRecord, UnbondingRecord } from './actions/staking/records.ts';
import type { ValidatorCandidateRecord } from './actions/operators/records.ts';
import { DEVNET_POLICY } from './genesis.ts';
import { RuleError } from './rule-error.ts';
import type { StateReader } from './state.ts';
import { GOVERNANCE_ACTIONS } from './testing/contributions.ts';
import { WORK_REFUSALS } from './testing/refusals/work.ts';
import { expiriesOf } from './testing/expiries.ts';
import { seedPlay } from './testing/further-commands.ts';
import { beaconOf, checkpointOf, runs, testKey } from '@netd/protocol/testing';
import { MemoryLedger, type CommittedBlock } from './testing/memory-ledger.ts';
import { frozen, COMMANDS, playBlock, type PlayedBlock } from './testing/random-play.ts';
import { attestationOf, handoverOf, offerOf } from './testing/refusals/memory.ts';
import { messageOf } from './testing/refusals/messages.ts';
import { EASY_READINESS, engagementOf, findingOf } from './testing/refusals/readiness.ts';
import { tokenOf, TOKEN_ACTIONS } from './testing/refusals/tokens.ts';
import { scheduleOf } from './testing/rules.ts';
import { validatorHeartbeatOf } from './testing/staking.ts';
import { madeOnce, OPERATOR, TestChain } from './testing/test-chain.ts';

const POLICY = {
  // Small, so that plays reach every limit.
  faucet: {
    enabled: true,
    perRequest: 50,
    perAccount: 120,
    perDay: 200,
    perNewcomer: 80,
    perVerifiedOrder: 20,
    keptForFirst: 60,
  },
  recoveryDelay: { heights: 3, milliseconds: 300 },
  operators: {
    maxCapabilities: 2,
    maxAmount: 40,
    maxLifetime: 12,
    minimumBonds: { verifier: 4, validator: 5, runtimeProvider: 6 },
    unbondingDelay: { heights: 3, milliseconds: 300 },
  },
  staking: {
    minimumDelegation: 3,
    rewardInterval: { heights: 2, milliseconds: 200 },
    rewardPpm: 200_000,
    maximumReward: 9,
  },
  governance: {
    ...DEVNET_POLICY.governance,
    votingPeriod: { heights: 3, milliseconds: 300 },
    // So that plays cross to the next version of the rules.
    timelock: { heights: 3, milliseconds: 100 },
  },
  readiness: EASY_READINESS,
};
const WORK_ACTIONS: ReadonlySet<string> = new Set(WORK_REFUSALS.map(({ subject }) => subject));
const RUNS = { numRuns: runs(50), verbose: true } as const;
/** A fixed seed, so that coverage does not depend on luck. */
const KNOWN_RUNS = { ...RUNS, numRuns: 44, seed: 9 } as const;

const move = fc.record({
  what: fc.nat(COMMANDS - 1),
  who: fc.nat(4),
  whom: fc.nat(20),
  how: fc.nat(63),
  fault: fc.nat(24),
  office: fc.nat(3),
});
const playedBlock: fc.Arbitrary<PlayedBlock> = fc.record({
  commands: fc.array(move, { maxLength: 8 }),
  idle: fc.oneof(fc.constant(0), fc.nat(6)),
  milliseconds: fc.oneof(fc.nat(400), fc.constant(90_000_000)),
});
const play = fc.array(playedBlock, { minLength: 4, maxLength: 16, size: 'max' });

/** Codes and actions seen, to prove coverage. */
const met = new Map<string, number>();
const note = (what: string): Map<string, number> => met.set(what, (met.get(what) ?? 0) + 1);

// Wraps every action: check must not write, apply must not refuse.
const untouched = [...ACTIONS.values()].map((action) => ({ ...action }));
before(() => {
  for (const action of ACTIONS.values()) {
    const original = { ...action };
    action.check = (context, payload) => {
      const { state } = context;
      const readOnly = new Proxy(state, {
        get(target, member) {
          if (member === 'get') return target.get.bind(target);
          throw new Error(`check of ${action.name} used ${String(member)} of the state`);
        },
      });
      return original.check({ ...context, state: readOnly }, payload);
    };
    action.apply = (context, payload, plan) => {
      try {
        original.apply(context, payload, plan);
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        throw new Error(`apply of ${action.name} refused with ${error.code}`, { cause: error });
      }
    };
  }
});
after(() => {
  [...ACTIONS.values()].forEach((action, i) => Object.assign(action, untouched[i]));
});

const actionOf = ({ kind, envelope }: Submission): string =>
  kind === 'intent' ? (envelope as unknown as SignedIntent).action : kind;

/** Three agents have joined. */
const readyChain: () => TestChain = madeOnce(() => {
  const chain = new TestChain({ policy: POLICY });
  seedPlay(chain.ledger);
  const open = (agentId: string): JsonObject =>
    handoverOf(chain, agentId, `of-${agentId}`, {
      targetProviderId: OPERATOR,
      targetRuntimeId: 'runtime-0',
      expiresAtHeight: chain.height + 40,
    });
  chain
    .join(
      ['alice', 'bob', 'carol'],
      ['faucet', 'transfer', ...TOKEN_ACTIONS, 'delegate', 'undelegate'],
    )
    .does('alice', 'setAgentRecovery', {
      agentId: 'alice',
      guardians: ['bob', 'carol'],
      threshold: 2,
    })
    .does('bob', 'setAgentRecovery', { agentId: 'bob', guardians: ['alice'], threshold: 1 })
    .does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1))
    .does('bob', 'commitMemoryCheckpoint', checkpointOf('bob', 1))
    .does(OPERATOR, 'registerRuntimeOffer', offerOf(chain, OPERATOR, 'runtime-0'))
    .does(OPERATOR, 'registerRuntimeOffer', offerOf(chain, OPERATOR, 'runtime-1'))
    .does('alice', 'prepareMemoryHandover', open('alice'))
    .does('bob', 'prepareMemoryHandover', open('bob'))
    .does(OPERATOR, 'attestMemoryRestore', attestationOf(OPERATOR, 'of-alice'))
    .does('carol', 'sendAgentMessage', messageOf(chain, 'carol', 'bob'))
    .does('bob', 'createToken', tokenOf({ tokenId: 'tok-aaa', mintAuthority: 'bob' }))
    .does(OPERATOR, 'createAuditEngagement', engagementOf(chain, { engagementId: 'audit-0' }))
    .does(OPERATOR, 'submitAuditFinding', findingOf(OPERATOR, 'LOW', { engagementId: 'audit-0' }));
  // Sequences of many steps start half done, so that plays reach their end.
  chain
    .fund('alice', 30)
    .does('alice', 'delegate', { validatorId: OPERATOR, amount: 30 })
    .does(OPERATOR, 'submitValidatorHeartbeat', validatorHeartbeatOf(chain, OPERATOR))
    .does('carol', 'publishBeacon', beaconOf('carol', chain.height));
  chain.submit(chain.recoveryRequest('alice', 'bob', testKey('spare 5')));
  chain.submit(chain.recoveryRequest('bob', 'alice', testKey('spare 4')));
  return chain;
});

function playAll(
  blocks: readonly PlayedBlock[],
  everyBlock: (chain: TestChain) => void,
): TestChain {
  const chain = readyChain();
  const earlier = chain.ledger.blocks.flatMap(({ submissions }) => submissions);
  const crossing = (blocks[0]?.milliseconds ?? 0) % (2 * blocks.length);
  for (const [index, played] of blocks.entries()) {
    // In about half of the plays the rules change. Refused if the play has scheduled it before.
    if (index === crossing) chain.act(OPERATOR, 'scheduleRules', scheduleOf(chain));
    const accepted = playBlock(chain, played, earlier, (execution, submission, run) => {
      const changes = execution.pendingChanges();
      const count = execution.transitionCount;
      const outcome = run();
      note(outcome.ok ? `accepted ${actionOf(submission)}` : `refused ${outcome.refusal.code}`);
      if (!outcome.ok) {
        assert.deepEqual(execution.pendingChanges(), changes, outcome.refusal.code);
        assert.equal(execution.transitionCount, count);
      }
      return outcome;
    });
    const hashes = chain.ledger.blocks.at(-1)?.transitionHashes ?? [];
    assert.deepEqual(
      // System transitions come first.
      hashes.slice(hashes.length - accepted.length),
      accepted.map(({ encoded }) => encoded.transitionHash),
      'execution order is the order of the envelopes',
    );
    if (chain.ledger.blocks.at(-1)?.events.some(({ type }) => type === 'RulesActivated')) {
      note('the rules changed');
    }
    everyBlock(chain);
  }
  return chain;
}

function recordsOf<T>(ledger: MemoryLedger, collection: string): [id: string, record: T][] {
  return [...ledger.pairs()]
    .filter(([key]) => key.startsWith(`${collection}/`))
    .map(([key, text]) => [key.slice(collection.length + 1), JSON.parse(text) as T]);
}

/** Recomputes all sums by walking the state. */
function assertInvariants({ ledger }: TestChain): void {
  const sums = new Map(CLASS_NAMES.map((name) => [name, 0]));
  for (const [id, { accountId, balance }] of recordsOf<AccountRecord>(ledger, 'account')) {
    assert.equal(id, accountId);
    assert.ok(Number.isSafeInteger(balance) && balance >= 0, `${id} has ${balance}`);
    sums.set(classOf(id), (sums.get(classOf(id)) ?? 0) + balance);
  }
  for (const [name, sum] of sums) assert.equal(ledger.record('supply', name), sum, name);
  const total = [...sums.values()].reduce((sum, part) => sum + part, 0);
  assert.equal(total, TOTAL_SUPPLY, 'the supply is conserved');

  const agents = recordsOf<{ status: string }>(ledger, 'agent');
  const active = agents.filter(([, { status }]) => status === 'active');
  assert.equal(ledger.record('counter', 'agents'), agents.length);
  assert.equal(ledger.record('counter', 'active-agents'), active.length);
  assert.equal(ledger.record('counter', 'referrals') ?? 0, recordsOf(ledger, 'referral').length);
  assert.equal(
    ledger.record('counter', 'node-heartbeats') ?? 0,
    recordsOf(ledger, 'node-heartbeat').length,
  );

  assertMessages(ledger);
  assertAgentStats(ledger);
  assertHandovers(ledger);
  assertTokens(ledger);

  const keys = new Map(recordsOf<KeyRecord>(ledger, 'key'));
  const inForce = new Set<string>();
  for (const [actorId, authority] of recordsOf<AuthorityRecord>(ledger, 'authority')) {
    assert.ok(!inForce.has(authority.publicKeyHash), 'two actors share a key');
    inForce.add(authority.publicKeyHash);
    const der = Buffer.from(authority.publicKey.split('\n')[1] ?? '', 'base64');
    assert.equal(keys.get(der.subarray(12).toString('hex'))?.actorId, actorId);
    const agent = ledger.record('agent', actorId);
    if (agent) assert.equal(authority.active, agent.status === 'active', actorId);
    if (ledger.record('revocation', actorId)) assert.equal(authority.active, false, actorId);
  }
  assertRegistries(ledger);
  assertStake(ledger);
  assertAudits(ledger);
  const { waiting, expected } = expiriesOf(ledger);
  assert.deepEqual(waiting, expected);

  const live = recordsOf<SpentNonce[]>(ledger, 'nonce').flatMap(([, leaf]) =>
    leaf.filter(({ expiry }) => expiry > ledger.tip.height).map(({ hash }) => hash),
  );
  assert.equal(new Set(live).size, live.length, 'a nonce lives twice');
}

function assertMessages(ledger: MemoryLedger): void {
  const live = new Map<string, number>();
  for (const [id, { message, status, endedAtHeight }] of recordsOf<MessageRecord>(
    ledger,
    'message',
  )) {
    assert.equal(id, message.messageId);
    // In a play, expiry is at most a block late.
    assert.equal(endedAtHeight !== null, status !== 'PENDING' || isPast(ledger, message), id);
    if (endedAtHeight !== null) continue;
    live.set(message.fromAgentId, (live.get(message.fromAgentId) ?? 0) + 1);
  }
  assert.deepEqual(new Map(recordsOf<number>(ledger, 'live-messages')), live, 'live messages');
  const total = [...live.values()].reduce((sum, part) => sum + part, 0);
  assert.equal(ledger.record('counter', 'live-messages') ?? 0, total);
}

/** Recomputes the counts by walking. */
function assertAgentStats(ledger: MemoryLedger): void {
  const walked = new Map<string, AgentStatsRecord>();
  const of = (agentId: string): AgentStatsRecord => {
    const stats = walked.get(agentId) ?? { ...agentStatsOf({ get: () => undefined }, agentId) };
    walked.set(agentId, stats);
    return stats;
  };
  for (const [, { referrerAgentId, status }] of recordsOf<ReferralRecord>(ledger, 'referral')) {
    of(referrerAgentId).referrals++;
    if (status === 'qualified') of(referrerAgentId).qualifiedReferrals++;
  }
  for (const [, { message, acknowledgement }] of recordsOf<MessageRecord>(ledger, 'message')) {
    of(message.fromAgentId).messagesSent++;
    of(message.toAgentId).messagesReceived++;
    if (acknowledgement) of(message.toAgentId).messagesAcknowledged++;
  }
  for (const [, { agentId, status }] of recordsOf<MemoryHandoverRecord>(
    ledger,
    'memory-handover',
  )) {
    of(agentId).handovers++;
    if (status === 'FINALIZED') of(agentId).finalizedHandovers++;
  }
  assert.deepEqual(new Map(recordsOf<AgentStatsRecord>(ledger, 'agent-stats')), walked);
}

/** Returns true if a block with transitions followed the last height. */
const isPast = (ledger: MemoryLedger, { expiresAtHeight }: { expiresAtHeight: number }): boolean =>
  ledger.blocks.some(
    ({ context, transitionHashes }) =>
      context.height > expiresAtHeight && transitionHashes.length > 0,
  );

function assertHandovers(ledger: MemoryLedger): void {
  const open = recordsOf<MemoryHandoverRecord>(ledger, 'memory-handover').filter(
    ([, { status }]) => status === 'PREPARED' || status === 'TARGET_RESTORED',
  );
  assert.equal(ledger.record('counter', 'open-memory-handovers') ?? 0, open.length);
  const named = recordsOf<MemoryRecord>(ledger, 'memory').flatMap(
    ([, { openHandoverId }]) => openHandoverId ?? [],
  );
  assert.deepEqual(new Set(named), new Set(open.map(([id]) => id)));
}

function assertTokens(ledger: MemoryLedger): void {
  const holdings = recordsOf<TokenHolderRecord>(ledger, 'token-holder');
  const tokens = recordsOf<TokenRecord>(ledger, 'token');
  assert.equal(ledger.record('counter', 'tokens') ?? 0, tokens.length);
  for (const [id, { supply, supplyCap, holders }] of tokens) {
    const own = holdings.filter(([, { tokenId }]) => tokenId === id);
    assert.equal(
      own.reduce((sum, [, { amount }]) => sum + amount, 0),
      supply,
      `holders of ${id}`,
    );
    assert.ok(own.every(([, { amount }]) => Number.isSafeInteger(amount) && amount > 0));
    assert.equal(own.length, holders);
    assert.ok(supply <= supplyCap);
  }
}

/** Bonds belong to holders, and active holders are counted and have their role. */
function assertRegistries(ledger: MemoryLedger): void {
  let bonded = 0;
  for (const [name, role] of [
    ['verifier', 'VERIFIER'],
    ['validator-candidate', 'VALIDATOR'],
    ['runtime-provider', 'RUNTIME_PROVIDER'],
    ['auditor', 'AUDITOR'],
  ] as const) {
    const records = recordsOf<{ active: boolean; bond?: number; selfBond?: number }>(ledger, name);
    const active = records.filter(([, record]) => record.active);
    assert.equal(ledger.record('counter', `active-${name}s`) ?? 0, active.length, name);
    for (const [actorId, { active: registered, bond = 0, selfBond = 0 }] of records) {
      bonded += bond + selfBond;
      const { roles = [] } = ledger.record('authority', actorId) ?? {};
      // Resigned holders wait for their bonds.
      const entitled = roles.includes(role) || roles.includes('OPERATOR');
      assert.ok(!registered || entitled, actorId);
    }
  }
  assert.equal(ledger.record('supply', 'bonds'), bonded);
  for (const [name, counter, member] of [
    ['verifier', 'verifier-groups', 'independenceGroup'],
    ['auditor', 'auditor-groups', 'independenceGroup'],
    ['validator-candidate', 'validator-fault-domains', 'faultDomain'],
    ['runtime-provider', 'provider-fault-domains', 'faultDomain'],
  ] as const) {
    const active = recordsOf<{ active: boolean } & Record<string, unknown>>(ledger, name).filter(
      ([, record]) => record.active,
    );
    // Faulty candidates are active but not counted.
    const counted = active.filter(([, { faults = 0 }]) => faults === 0);
    const groups = new Set(counted.map(([, record]) => record[member]));
    assert.equal(ledger.record('counter', counter) ?? 0, groups.size, counter);
    if (name !== 'validator-candidate') continue;
    assert.equal(ledger.record('counter', 'eligible-validator-candidates') ?? 0, counted.length);
    const roster = ledger.record('validator-roster', 'active')?.validatorIds ?? [];
    assert.deepEqual(roster.toSorted(), counted.map(([id]) => id).toSorted());
  }
}

/** Compares findings with the counts of chain and engagement. */
function assertAudits(ledger: MemoryLedger): void {
  const findings = recordsOf<AuditFindingRecord>(ledger, 'audit-finding').map(([, one]) => one);
  const engagements = recordsOf<AuditEngagementRecord>(ledger, 'audit-engagement');
  for (const severity of ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const) {
    const name = OPEN_FINDING_COUNTERS[severity];
    const open = findings.filter((finding) => finding.open && finding.severity === severity);
    assert.equal(ledger.record('counter', name) ?? 0, open.length, name);
    for (const [id, engagement] of engagements) {
      const own = open.filter((finding) => finding.engagementId === id);
      assert.equal(engagement.open[severity], own.length, `${severity} of ${id}`);
    }
  }
  for (const [id, { status, findings: submitted, open }] of engagements) {
    const own = findings.filter((finding) => finding.engagementId === id);
    assert.equal(submitted, own.length, id);
    if (status !== 'OPEN') assert.equal(open.CRITICAL + open.HIGH, 0, id);
    if (status === 'CLOSED') assert.ok(own.length > 0, id);
  }
  const channels = recordsOf(ledger, 'wallet-channel');
  assert.equal(ledger.record('counter', 'wallet-channels-attested') ?? 0, channels.length);
}

/** Stake is delegated or unbonding, and shares add up. */
function assertStake(ledger: MemoryLedger): void {
  const shares = new Map<string, number>();
  const unbonding = new Map<string, number>();
  const waiting = new Map<string, number>();
  const add = (sums: Map<string, number>, id: string, amount: number) =>
    sums.set(id, (sums.get(id) ?? 0) + amount);
  const delegators = recordsOf<DelegatorRecord>(ledger, 'delegator');
  for (const [, { positions }] of delegators) {
    for (const position of positions) add(shares, position.validatorId, position.shares);
  }
  for (const [, { actorId, validatorId, amount }] of recordsOf<UnbondingRecord>(
    ledger,
    'unbonding',
  )) {
    add(unbonding, validatorId, amount);
    add(waiting, actorId, 1);
  }
  let staked = 0;
  for (const [id, pool] of recordsOf<ValidatorCandidateRecord>(ledger, 'validator-candidate')) {
    assert.equal(pool.shares, shares.get(id) ?? 0, `shares of ${id}`);
    assert.equal(pool.unbonding, unbonding.get(id) ?? 0, `unbonding from ${id}`);
    assert.equal(pool.delegated === 0, pool.shares === 0, `the pool of ${id} has an owner`);
    assert.ok(pool.faults > 0 || pool.delegated >= pool.shares, `a share of ${id} is a unet`);
    staked += pool.delegated + pool.unbonding;
    if (pool.delegated > 0) note('stake was held');
    if (pool.delegated > pool.shares) note('shares have grown');
  }
  assert.equal(ledger.record('supply', 'stake'), staked);
  for (const [id, { positions, unbondings }] of delegators) {
    assert.ok(positions.length + unbondings > 0, id);
    assert.equal(unbondings, waiting.get(id) ?? 0, id);
  }
  const holding = delegators.filter(([, { positions }]) => positions.length > 0);
  assert.equal(ledger.record('counter', 'delegators') ?? 0, holding.length);
  assert.equal(
    ledger.record('counter', 'delegations') ?? 0,
    holding.reduce((sum, [, { positions }]) => sum + positions.length, 0),
  );
}

/** A replay must reproduce these. */
const fingerprint = ({
  transitionsRoot,
  eventsRoot,
  stateRoot: root,
  blockHash,
}: CommittedBlock) => ({
  transitionsRoot,
  eventsRoot,
  stateRoot: root,
  blockHash,
});

test('supply, counters, keys and nonces hold after every block; refusals leave no trace', () => {
  const property = fc.property(play, (blocks) => {
    playAll(blocks, assertInvariants);
  });
  fc.assert(property, KNOWN_RUNS);
  fc.assert(property, RUNS);
});

test('a replay of the recorded blocks, from genesis and from a checkpoint, gives the same roots, transitions and events', () => {
  fc.assert(
    fc.property(play, (blocks) => {
      const chain = playAll(blocks, () => {});
      let replay = new MemoryLedger(chain.ledger.genesis);
      seedPlay(replay);
      const recordedBlocks = chain.ledger.blocks;
      const checkpoint = (blocks.at(-1)?.milliseconds ?? 0) % recordedBlocks.length;
      for (const [index, recorded] of recordedBlocks.entries()) {
        if (index === checkpoint) replay = replay.restored();
        replay.advance(recorded.context.height - replay.tip.height - 1, 0);
        // As if read from disk: unverified, unshared.
        const submissions = recorded.submissions.map(({ kind, encoded }) => ({
          kind,
          encoded,
          envelope: JSON.parse(encoded.text) as JsonObject,
          verifiedWith: null,
        }));
        const { outcomes } = replay.execute(submissions, recorded.context);
        assert.ok(outcomes.every(({ ok }) => ok));
        assert.deepEqual(fingerprint(replay.blocks.at(-1)!), fingerprint(recorded));
      }
      assert.equal(stateRoot(replay.pairs()), chain.ledger.tip.stateRoot);
    }),
    RUNS,
  );
});

test('a block executed on its uncommitted predecessor is the block it would have been', () => {
  fc.assert(
    fc.property(play, (blocks) => {
      const { genesis, blocks: recorded } = playAll(blocks, () => {}).ledger;
      const store = new MemoryLedger(genesis);
      seedPlay(store);
      let waiting: { block: CommittedBlock; executed: ExecutedBlock } | null = null;
      for (const block of recorded) {
        const base: StateReader = waiting?.executed.state ?? store;
        const previous = waiting?.block ?? store.tip;
        const execution = new BlockExecution(frozen(base), block.context, previous);
        for (const submission of block.submissions) {
          assert.ok(execution.execute(submission).ok);
        }
        const executed = execution.finish();
        if (waiting) commit(store, waiting);
        executed.state.rebase(store);
        waiting = { block, executed };
      }
      if (waiting) commit(store, waiting);
      assert.deepEqual(store.blocks.map(fingerprint), recorded.map(fingerprint));
    }),
    RUNS,
  );

  function commit(
    store: MemoryLedger,
    { block, executed }: { block: CommittedBlock; executed: ExecutedBlock },
  ): void {
    store.advance(block.context.height - store.tip.height - 1, 0);
    store.commit(block.context, executed, block.submissions);
  }
});

test('the plays met every action and nearly every refusal', () => {
  // Others have property tests of their own.
  const actions = [...ACTIONS.keys(), 'registration', 'application', 'claim'].filter(
    (name) =>
      !WORK_ACTIONS.has(name) &&
      !GOVERNANCE_ACTIONS.has(name) &&
      (ACTIONS.get(name)?.since ?? 1) < 2 &&
      !['unjailValidator', 'announceRules', 'cancelRules'].includes(name),
  );
  assert.deepEqual(
    actions.filter((name) => !met.has(`accepted ${name}`)),
    [],
    JSON.stringify(Object.fromEntries(met)),
  );
  assert.ok(met.has('stake was held') && met.has('shares have grown'));
  assert.ok((met.get('the rules changed') ?? 0) > 5);
  const refusals = [...met.keys()].filter((what) => what.startsWith('refused '));
  assert.ok(refusals.length >= 25, refusals.join(', '));
});
