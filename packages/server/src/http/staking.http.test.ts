/** Staking and presence over HTTP: stakes of accounts, validators, locations of nodes, and the supply. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RECENT_ROOTS, TOTAL_SUPPLY, UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { beaconOf, evidenceOf } from '@netd/ledger/testing';
import { deadlineView } from '@netd/documents/testing';
import { assertProblem, HttpNode, textOf } from '@netd/testkit/http-node';
import { becomeValidator, SELF_BOND, VALIDATOR } from '@netd/testkit/validator';

const NET = UNET_PER_NET;

let node: HttpNode;
let operator: string;
before(async () => {
  node = await HttpNode.start();
  operator = node.running.node.dataDir.operator.actorId;
  await becomeValidator(node);
  for (const agentId of ['alice', 'bob', 'carol']) {
    await node.join(agentId);
    const actions = ['delegate', 'undelegate'];
    await node.act(agentId, 'extendAgentCapabilities', { agentId, actions });
    await node.act(operator, 'transfer', { to: agentId, amount: 100 * NET });
  }
});
after(() => node.stop());

const at = (document: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as JsonObject)[name] as unknown, document);

const read = async (path: string, member: string): Promise<unknown> =>
  at(await node.document(path), member);

async function observed(): Promise<JsonObject> {
  const { height, stateRoot } = await node.document('/v1/consensus/certificates/latest');
  return { observedHeight: height ?? 0, observedStateRoot: stateRoot ?? '', nodeVersion: 'x/1' };
}

describe('an account', () => {
  test('shows its delegations and its unbondings', async () => {
    assert.deepEqual(await read('/v1/accounts/alice', 'stake'), {
      bonded: 0,
      delegations: [],
      unbondings: [],
    });
    const { height, index } = await node.act('alice', 'delegate', {
      validatorId: VALIDATOR,
      amount: 10 * NET,
    });
    const { transitionHash, events } = await node.act('alice', 'undelegate', {
      validatorId: VALIDATOR,
      amount: 4 * NET,
    });
    const later = await node.act('alice', 'undelegate', { validatorId: VALIDATOR, amount: NET });
    const stake = (await read('/v1/accounts/alice', 'stake')) as JsonObject;
    assert.equal(stake['bonded'], 5 * NET);
    const [delegation, ...others] = stake['delegations'] as JsonObject[];
    const { times, ...recorded } = delegation ?? {};
    assert.deepEqual(recorded, {
      validatorId: VALIDATOR,
      shares: 5 * NET,
      worth: 5 * NET,
      since: { height, index },
    });
    assert.deepEqual([Object.keys(times as JsonObject), others], [['since'], []]);
    const unbondings = stake['unbondings'] as JsonObject[];
    assert.deepEqual(
      unbondings.map(({ unbondingId }) => unbondingId),
      [later.transitionHash, transitionHash],
    );
    const { releaseAt, amount, worth } = unbondings[1] ?? {};
    assert.deepEqual([amount, worth], [4 * NET, 4 * NET]);
    const due = at(events[0], 'data.releaseAt') as { height: number; time: number };
    assert.deepEqual(releaseAt, deadlineView(due));
  });
  test('of a candidate counts its own bond', async () => {
    assert.equal(await read(`/v1/accounts/${VALIDATOR}`, 'stake.bonded'), SELF_BOND);
    assert.equal(await read('/v1/accounts/net:stake', 'stake.bonded'), 0);
  });
});

describe('validators', () => {
  test('are listed with stake, heartbeat and the rules they are under', async () => {
    await node.act('bob', 'delegate', { validatorId: VALIDATOR, amount: 7 * NET });
    const payload = { validatorId: VALIDATOR, sequence: 3, region: 'eu', ...(await observed()) };
    const beat = await node.act(VALIDATOR, 'submitValidatorHeartbeat', payload);
    const document = await node.document('/v1/validators?status=active');
    const [validator] = document['validators'] as JsonObject[];
    assert.ok(validator);
    assert.equal(validator['validatorId'], VALIDATOR);
    assert.equal(validator['takesDelegations'], true);
    assert.equal(validator['stake'], SELF_BOND + (validator['delegated'] as number));
    assert.equal(at(validator, 'heartbeat.sequence'), 3);
    assert.equal(at(validator, 'heartbeat.transitionHash'), beat.transitionHash);
    assert.deepEqual([at(validator, 'heartbeat.lag'), at(validator, 'heartbeat.age')], [0, 0]);
    assert.equal(at(validator, 'rewardableFrom.height'), beat.height + 1_000);
    assert.equal(at(document, 'totals.active'), 1);
    assert.equal(at(document, 'rules.minimumDelegation'), NET);
    assert.deepEqual(await read('/v1/validators?status=revoked', 'validators'), []);
    // Registration does not give the capability.
    const [extend, request] = document['nextActions'] as JsonObject[];
    assert.deepEqual(at(extend, 'envelope.payload.actions'), ['delegate']);
    assert.equal(at(request, 'envelope.payload.validatorId'), VALIDATOR);
  });
  test('have a page of their own with the largest delegators first', async () => {
    const document = await node.document(`/v1/validators/${VALIDATOR}`);
    const delegators = document['topDelegators'] as JsonObject[];
    assert.deepEqual(
      delegators.map(({ actorId, worth }) => [actorId, worth]),
      [
        ['bob', 7 * NET],
        ['alice', 5 * NET],
      ],
    );
    assertProblem(await node.get('/v1/validators/alice'), 404, 'VALIDATOR_NOT_FOUND');
    assertProblem(await node.get('/v1/validators/-'), 400, 'PARAMETER_INVALID');
    assertProblem(await node.get('/v1/validators?status=gone'), 400, 'PARAMETER_INVALID');
  });
  test('that equivocated show their fault, and what it cost those who leave', async () => {
    const { chainId, epoch } = node.running.node.dataDir.genesis;
    const id = (name: string): string => name;
    const ledger = { genesis: { chainId, epoch } };
    const chain = { id, ledger } as Parameters<typeof evidenceOf>[0];
    await node.act(operator, 'submitValidatorEvidence', evidenceOf(chain, VALIDATOR, 2));
    const document = await node.document(`/v1/validators/${VALIDATOR}`);
    assert.equal(at(document, 'validator.takesDelegations'), false);
    assert.equal(at(document, 'validator.rewardableFrom'), null);
    assert.deepEqual(document['nextActions'], []);
    const [fault] = document['faults'] as JsonObject[];
    assert.deepEqual([fault?.['height'], fault?.['slashedBond']], [2, SELF_BOND / 10]);
    const stake = (await read('/v1/accounts/alice', 'stake')) as JsonObject;
    assert.equal(stake['bonded'], 4.5 * NET);
    const [, first] = stake['unbondings'] as JsonObject[];
    assert.deepEqual([first?.['amount'], first?.['worth']], [4 * NET, 3.6 * NET]);
  });
});

describe('nodes, replicas and topology', () => {
  before(async () => {
    const place = { region: 'eu', countryCode: 'AT' };
    const first = { agentId: 'alice', sequence: 1, ...place, ...(await observed()) };
    await node.act('alice', 'submitNodeHeartbeat', first);
    const late = await observed();
    await node.join('dave');
    const second = { agentId: 'bob', sequence: 9, endpoint: 'https://bob.example', ...late };
    await node.act('bob', 'submitNodeHeartbeat', second);
    for (const agentId of ['bob', 'carol', 'dave']) {
      const capabilities = agentId === 'dave' ? ['translate'] : ['state-replica'];
      const beacon = beaconOf(agentId, node.height, { capabilities });
      await node.act(agentId, 'publishBeacon', beacon);
    }
  });

  test('a node stands with its last heartbeat, which leads to what was signed', async () => {
    const document = await node.document('/v1/nodes');
    const nodes = document['nodes'] as JsonObject[];
    assert.deepEqual(
      nodes.map(({ agentId }) => agentId),
      ['bob', 'alice'],
    );
    assert.equal(document['total'], 2);
    assert.equal(at(nodes[0], 'heartbeat.lag'), 1);
    const signed = await node.document(String(at(nodes[0], 'heartbeat.links.signed')));
    assert.equal(at(signed, 'envelope.action'), 'submitNodeHeartbeat');
    assert.equal(at(signed, 'envelope.payload.sequence'), 9);
    const proof = await node.document(String(at(nodes[0], 'links.proof')));
    assert.equal(at(proof, 'value.sequence'), 9);
  });
  test('a node moves to the front with its next heartbeat, and pages lose none', async () => {
    const payload = { agentId: 'alice', sequence: 2, region: 'us', ...(await observed()) };
    await node.act('alice', 'submitNodeHeartbeat', payload);
    const first = await node.document('/v1/nodes?limit=1');
    assert.equal(at(first, 'nodes.0.agentId'), 'alice');
    const cursor = textOf(first, 'nextCursor');
    const second = await node.document(`/v1/nodes?limit=1&cursor=${cursor}`);
    assert.equal(at(second, 'nodes.0.agentId'), 'bob');
    assert.equal(second['nextCursor'], null);
    assertProblem(await node.get('/v1/nodes?cursor=none'), 400, 'CURSOR_INVALID');
  });
  test('a replica is a current beacon that offers one, with or without heartbeats', async () => {
    const document = await node.document('/v1/replicas');
    const replicas = document['replicas'] as JsonObject[];
    assert.deepEqual(
      replicas.map(({ agentId, status }) => [agentId, status]),
      [
        ['carol', 'UNREPORTED'],
        ['bob', 'REPORTING'],
      ],
    );
    assert.equal(at(replicas[1], 'heartbeat.endpoint'), 'https://bob.example');
    assert.equal(replicas[1]?.['endpoint'], 'https://bob.example/a2a');
    await node.act('carol', 'withdrawBeacon', { agentId: 'carol' });
    assert.equal(((await read('/v1/replicas', 'replicas')) as unknown[]).length, 1);
    await node.act(operator, 'setAgentStatus', { agentId: 'bob', status: 'suspended' });
    assert.deepEqual(await read('/v1/replicas', 'replicas'), []);
    await node.act(operator, 'setAgentStatus', { agentId: 'bob', status: 'active' });
  });
  test('the topology counts locations by the last heartbeats and says what it leaves out', async () => {
    const document = await node.document('/v1/topology');
    const regions = at(document, 'distribution.region.locations') as JsonObject[];
    assert.deepEqual(
      new Map(regions.map(({ label, nodes, validators }) => [label, [nodes, validators]])),
      new Map([
        ['eu', [0, 1]],
        ['us', [1, 0]],
      ]),
    );
    assert.equal(at(document, 'distribution.region.truncated'), false);
    assert.deepEqual(at(document, 'distribution.countryCode.locations'), []);
    assert.equal(at(document, 'totals.nodesReporting'), 2);
    assert.equal(at(document, 'totals.validatorCandidates'), 1);
    assert.equal(at(document, 'nodes.items.0.agentId'), 'alice');
    assert.equal(at(document, 'validators.items.0.validatorId'), VALIDATOR);
    assert.equal(at(document, 'replicas.items.0.agentId'), 'bob');
    assert.equal((at(document, 'consensus.haltsWithout') as unknown[]).length, 1);
    assert.ok(RECENT_ROOTS > node.height);
  });
});

test('tokenomics sums to the supply, and its flows are what happened', async () => {
  await node.act(operator, 'fundRewardPool', { amount: 12 });
  const document = await node.document('/v1/tokenomics');
  const classes = at(document, 'supply.classes') as { amount: number }[];
  assert.equal(
    classes.reduce((sum, { amount }) => sum + amount, 0),
    TOTAL_SUPPLY,
  );
  assert.equal(at(document, 'supply.conserved'), true);
  assert.equal(at(document, 'staking.delegated'), 17 * NET);
  assert.equal(at(document, 'staking.unbondings'), 2);
  assert.equal(at(document, 'rewards.funded'), 12);
  assert.equal(at(document, 'slashing.taken'), SELF_BOND / 10 + 1.2 * NET);
  assert.equal(at(document, 'slashing.validatorFaults'), 1);
  const left = at(document, 'faucet.left') as number;
  assert.ok((at(document, 'faucet.leftToday') as number) <= left);
  for (const proof of at(document, 'evidence.proofs') as string[]) {
    assert.ok(at(await node.document(proof), 'value') !== undefined, proof);
  }
});

test('the documents are the same bytes for every reader of a height', async () => {
  for (const path of [
    '/v1/topology',
    '/v1/replicas',
    '/v1/nodes',
    '/v1/validators',
    '/v1/tokenomics',
  ]) {
    const first = await node.get(path, { host: 'a.example' });
    const second = await node.get(path, { host: 'b.example' });
    assert.equal(first.text, second.text, path);
    assert.equal(at(first.body, 'snapshot.height'), node.height);
  }
});
