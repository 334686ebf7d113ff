/** Audits, wallet builds, mainnet readiness and the validation policy over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEVNET_POLICY, validateGenesis } from '@netd/ledger';
import { answerOf, engagementOf, findingOf, profileOf, walletOf } from '@netd/ledger/testing';
import { genesisHash, hashValue, type Genesis, type JsonObject } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';
import { becomeAuditor } from '@netd/testkit/auditor';
import { takeRole } from '@netd/testkit/roles';

let node: HttpNode;
let operator: string;
/** The documents of an empty chain. */
const empty: Record<string, JsonObject> = {};

before(async () => {
  node = await HttpNode.start();
  operator = node.running.node.dataDir.operator.actorId;
  for (const path of ['/v1/mainnet/readiness', '/v1/wallet/releases', '/v1/audits']) {
    empty[path] = await node.document(path);
  }
  for (const name of ['vera', 'vito', 'viki', 'vlad']) await becomeAuditor(node, name);
});
after(() => node.stop());

type Gate = { id: string; pass: boolean; actual: number; required: number; detail: string };
const listed = async (path: string, member: string): Promise<JsonObject[]> =>
  (await node.document(path))[member] as JsonObject[];

describe('GET /v1/wallet', () => {
  test('says that nothing is published until it is attested', async () => {
    const { status, statement, attestedChannels, channels } = empty['/v1/wallet/releases']!;
    assert.deepEqual([status, attestedChannels], ['NOTHING_ATTESTED', 0]);
    assert.match(statement as string, /No wallet build is attested/);
    assert.match(statement as string, /a node serves at \/wallet is unreleased; links\.served/);
    for (const { attested, latest } of channels as JsonObject[]) {
      assert.deepEqual([attested, latest], [null, null]);
    }
  });
  test('lists attestations by channel, and counts a channel from the second group on', async () => {
    const releases = () => node.document('/v1/wallet/releases');
    await node.act('vera', 'attestWalletDistribution', walletOf('vera'));
    assert.equal((await releases())['status'], 'NOTHING_ATTESTED');
    await node.act('vito', 'attestWalletDistribution', walletOf('vito'));
    await node.act('vito', 'attestWalletDistribution', walletOf('vito', { channel: 'APP_STORE' }));
    const { status, channels } = await releases();
    assert.equal(status, 'PARTLY_ATTESTED');
    const npm = (channels as JsonObject[]).find(({ channel }) => channel === 'NPM');
    assert.ok(npm);
    assert.equal((npm['attested'] as JsonObject)['artifactHash'], 'a'.repeat(64));
    assert.deepEqual(npm['latest'], { version: '1.0.0', status: 'ATTESTED', attestations: 2 });

    const path = '/v1/wallet/distribution-attestations';
    const names = async (query: string): Promise<unknown[]> =>
      (await listed(`${path}${query}`, 'distributions')).map(({ channel }) => channel);
    assert.deepEqual(await names(''), ['APP_STORE', 'NPM']);
    assert.deepEqual(await names('?channel=NPM'), ['NPM']);
    assert.deepEqual(await names('?channel=PLAY_STORE'), []);
    assertProblem(await node.get(`${path}?channel=FTP`), 400, 'PARAMETER_INVALID');

    const first = await node.document(`${path}?limit=1`);
    const cursor = first['nextCursor'] as string;
    assert.deepEqual(await names(`?limit=1&cursor=${cursor}`), ['NPM']);
    // A cursor belongs to its filters.
    assertProblem(await node.get(`${path}?channel=NPM&cursor=${cursor}`), 400, 'CURSOR_INVALID');
  });
  test('tells of a version with two attested artifacts', async () => {
    const other = { artifactHash: 'b'.repeat(64) };
    await node.act('viki', 'attestWalletDistribution', walletOf('viki', other));
    await node.act('vlad', 'attestWalletDistribution', walletOf('vlad', other));
    const [found] = await listed(
      '/v1/wallet/distribution-attestations?channel=NPM',
      'distributions',
    );
    assert.deepEqual([found?.['status'], found?.['artifactHash']], ['CONFLICTING', null]);
    assert.equal((await node.document('/v1/wallet/releases'))['status'], 'NOTHING_ATTESTED');
  });
  test('says of wallets of others that they were not tried', async () => {
    const { thirdParty, basis, ownWallet } = await node.document('/v1/wallet/compatibility');
    const verdicts = new Map(
      (thirdParty as JsonObject[]).map((one) => [one['name'], one['verdict']]),
    );
    assert.equal(verdicts.get('MetaMask'), 'NO');
    assert.equal(verdicts.get('Phantom'), 'POSSIBLE_UNTRIED');
    assert.match(basis as string, /not tested/);
    assert.equal((ownWallet as JsonObject)['kind'], 'KEY_FILE');
  });
});

describe('GET /v1/audits', () => {
  test('lists none on a young chain', () => {
    const { total, engagements, nextCursor } = empty['/v1/audits']!;
    assert.deepEqual([total, engagements, nextCursor], [0, [], null]);
  });
  test('lists engagements by status, with what is open', async () => {
    await node.act(operator, 'createAuditEngagement', engagementOf(node));
    // Two are due soon, and one gets its report.
    const dueAtHeight = node.height + 3;
    for (const engagementId of ['audit-2', 'audit-3']) {
      const payload = engagementOf(node, { engagementId, dueAtHeight });
      await node.act(operator, 'createAuditEngagement', payload);
    }
    const inTime = { engagementId: 'audit-2', findingId: 'in-time' };
    await node.act('vera', 'submitAuditFinding', findingOf('vera', 'LOW', inTime));
    const ids = async (query = ''): Promise<unknown[]> =>
      (await listed(`/v1/audits${query}`, 'engagements')).map((one) => one['engagementId']);
    // The block of the expiry comes without a write, and can be read before the chain reports it.
    await until(async () => (await ids('?status=EXPIRED')).length > 0);
    assert.ok(((await node.document('/v1/audits'))['height'] as number) > dueAtHeight);
    assert.deepEqual(await ids('?status=EXPIRED'), ['audit-3']);
    await node.act('vera', 'submitAuditFinding', findingOf('vera', 'CRITICAL'));
    assert.deepEqual(await ids(), ['audit-3', 'audit-2', 'audit-1']);
    assert.deepEqual(await ids('?status=OPEN'), ['audit-2', 'audit-1']);
    assert.deepEqual(await ids('?status=CLOSED'), []);
    assertProblem(await node.get('/v1/audits?status=DONE'), 400, 'PARAMETER_INVALID');
    const overdue = (await listed('/v1/audits', 'engagements')).map((one) => one['overdue']);
    assert.deepEqual(overdue, [false, true, false]);
    assert.deepEqual((await node.document('/v1/audits'))['open'], {
      CRITICAL: 1,
      HIGH: 0,
      MEDIUM: 0,
      LOW: 1,
    });
  });
  test('shows the way of a finding from open over answered to confirmed', async () => {
    const path = '/v1/audits/audit-1';
    const finding = async (): Promise<JsonObject | undefined> =>
      (await listed(path, 'findings')).find((one) => one['findingId'] === 'finding-CRITICAL');
    assert.deepEqual((await finding())?.['response'], null);
    await node.act(operator, 'respondAuditFinding', answerOf('CRITICAL', 'FIXED'));
    assert.equal((await finding())?.['open'], true);
    const confirmation = { findingId: 'confirmation', confirms: 'finding-CRITICAL' };
    await node.act('vito', 'submitAuditFinding', findingOf('vito', 'INFO', confirmation));
    const settled = await finding();
    assert.deepEqual([settled?.['open'], settled?.['confirmedBy']], [false, 'confirmation']);
    const first = await node.document(`${path}?limit=1`);
    const rest = await listed(
      `${path}?limit=1&cursor=${first['nextCursor'] as string}`,
      'findings',
    );
    assert.deepEqual(
      rest.map((one) => one['findingId']),
      ['finding-CRITICAL'],
    );
  });
  test('answers 404 for an audit that is not there, 400 for what is no id', async () => {
    assertProblem(await node.get('/v1/audits/audit-9'), 404, 'AUDIT_NOT_FOUND');
    assertProblem(await node.get('/v1/audits/-'), 400, 'PARAMETER_INVALID');
  });
});

describe('GET /v1/mainnet/readiness', () => {
  const gatesOf = (document: JsonObject): Gate[] => document['gates'] as unknown as Gate[];
  test('of a young chain names every failing gate and what brings it further', () => {
    const document = empty['/v1/mainnet/readiness']!;
    const failing = gatesOf(document).filter(({ pass }) => !pass);
    assert.ok(failing.length > 10);
    assert.deepEqual(
      [document['status'], document['ready'], document['genesisHash'], document['sealed']],
      ['GATES_FAILING', false, null, null],
    );
    assert.equal(document['readinessHash'], hashValue(document['gates']));
    const steps = (document['steps'] as JsonObject[]).map(({ gate }) => gate);
    // Without a bonded candidate, there is no genesis to propose or seal.
    assert.deepEqual(
      steps,
      failing.map(({ id }) => id),
    );
  });
  test('says of every gate that could fail what brings it further', async () => {
    // Each of the two findings gates fails once such a finding is open.
    await node.act('vera', 'submitAuditFinding', findingOf('vera', 'HIGH'));
    const again = { findingId: 'critical-2' };
    await node.act('vera', 'submitAuditFinding', findingOf('vera', 'CRITICAL', again));
    const document = await node.document('/v1/mainnet/readiness');
    const steps = (document['steps'] as JsonObject[]).map(({ gate }) => gate);
    assert.ok(steps.includes('open-high-findings') && steps.includes('open-critical-findings'));
  });
  test('has the candidate once a validator is bonded: its hash, and a genesis that starts', async () => {
    const profile = profileOf('valerie', 'VALIDATOR', node.chainId);
    await node.join('valerie');
    await node.act(operator, 'transfer', { to: 'valerie', amount: Number(profile['selfBond']) });
    await takeRole(node, 'valerie', 'VALIDATOR', {
      actions: ['submitValidatorHeartbeat'],
      profile,
    });
    const document = await node.document('/v1/mainnet/readiness');
    const candidate = document['candidate'] as unknown as Genesis;
    assert.equal(validateGenesis(candidate), null);
    assert.equal(document['genesisHash'], genesisHash(candidate));
    assert.deepEqual(
      candidate.validators.map(({ validatorId }) => validatorId),
      ['valerie'],
    );
    const validators = gatesOf(document).find(({ id }) => id === 'validators');
    assert.deepEqual(
      [validators?.actual, validators?.required, validators?.pass],
      [1, DEVNET_POLICY.readiness.validators, false],
    );
  });
  test('is refused a sealing while gates fail, and says which', async () => {
    const { genesisHash: hash } = await node.document('/v1/mainnet/readiness');
    const intent = node.intent('vera', 'sealMainnetGenesis', {
      agentId: 'vera',
      genesisHash: hash,
    });
    const problem = assertProblem(
      await node.post('/v1/intents', intent),
      409,
      'READINESS_GATES_FAILING',
    );
    assert.match(JSON.stringify(problem), /validators/);
  });
});

test('GET /v1/validation gives the rules that orders are held to, weakness included', async () => {
  const { bounds, policy, committee, modes, proofTypes, limits, actual, boundaries } =
    await node.document('/v1/validation');
  assert.deepEqual((bounds as JsonObject)['requiredAccepts'], { minimum: 2, maximum: 7 });
  assert.deepEqual((bounds as JsonObject)['committeeSize'], { minimum: 2, maximum: 15 });
  assert.deepEqual(policy, DEVNET_POLICY.work);
  assert.match((committee as { weakness: string }).weakness, /sole proposer.*could still grind/);
  assert.equal((modes as unknown[]).length, 5);
  assert.equal((proofTypes as unknown[]).length, 5);
  assert.deepEqual(limits, {
    openOrdersOfRequester: 1_000,
    unfinishedOrdersOfAgent: 16,
    unfinishedOrdersOfUnprovenAgent: 2,
    activeVerifiers: 256,
  });
  const { activeVerifiers, operatorGroups } = actual as JsonObject;
  assert.deepEqual([activeVerifiers, operatorGroups], [0, 0]);
  assert.match(JSON.stringify(boundaries), /house-… belong to the operator.*none of them now/);
});
