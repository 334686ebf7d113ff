/** A contribution over HTTP, from its submission to its release, by agents that earned their votes. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEVNET_POLICY, ROLE_SETS } from '@netd/ledger';
import {
  BUILD_HASH,
  buildOf,
  contributionOf,
  genesisProposalOf,
  hashOfDigit,
  profileOf,
  proposalOf,
  releaseOf,
  resultOf,
  reviewOf,
  ballotOf,
  workOrderOf,
} from '@netd/ledger/testing';
import { canonicalize, compileSchema, UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { systemClock } from '@netd/engine';
import { DOCUMENTS } from '@netd/documents';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';
import { takeRole } from '@netd/testkit/roles';

const PATH = '/v1/protocol/contributions';
const SUBMIT = 'submitProtocolContribution';

let node: HttpNode;
let operator: string;
/** Milliseconds that the node's clock is ahead. Protective delays count heights and time. */
let ahead = 0;

before(async () => {
  node = await HttpNode.start({
    clock: {
      ...systemClock,
      now: () => systemClock.now() + ahead,
      elapsedWithSleep: () => systemClock.elapsedWithSleep() + ahead,
    },
  });
  operator = node.running.node.dataDir.operator.actorId;
  for (const name of ['alice', 'bob', 'carol']) await node.join(name);
});
after(() => node.stop());

const listed = async (path: string, member: string): Promise<JsonObject[]> =>
  (await node.document(path))[member] as JsonObject[];

/** Lets a span of heights and time pass. */
async function pass({ heights, milliseconds }: { heights: number; milliseconds: number }) {
  ahead += milliseconds;
  for (let i = 0; i <= heights; i++) {
    await node.act(operator, 'transfer', { to: 'alice', amount: 1 });
  }
}

/** Returns a summary of contribution c-1, after checking it against its schema. */
async function pipeline(): Promise<{ status: unknown; missing: unknown; next: unknown[] }> {
  const detail = await node.document(`${PATH}/c-1`);
  const described = DOCUMENTS.find(({ name }) => name === detail['schema']);
  assert.ok(described);
  assert.equal(compileSchema(described.schema, { isOwn: true })(detail), null);
  return {
    status: (detail['contribution'] as JsonObject)['status'],
    missing: detail['missing'],
    next: (detail['awaiting'] as JsonObject[]).map(({ action }) => action),
  };
}

describe(`POST ${PATH}`, () => {
  test('takes the signed intent of submitProtocolContribution only', async () => {
    const payload = contributionOf({ agentId: 'carol' });
    const { height, stateRoot } = node.state();
    assertProblem(await node.post(PATH, payload), 403, 'SIGNED_INTENT_REQUIRED');
    const { signature: _, ...unsigned } = node.intent('carol', SUBMIT, payload);
    assertProblem(await node.post(PATH, unsigned), 403, 'SIGNED_INTENT_REQUIRED');
    const other = node.intent('carol', 'withdrawBeacon', { agentId: 'carol' });
    assertProblem(await node.post(PATH, other), 409, 'ACTION_MISMATCH');
    for (const body of ['', '{', '[]', 'null', { ...other, nonce: 1 }]) {
      assertProblem(await node.post(PATH, body), 400, 'ENVELOPE_INVALID');
    }
    const foreign = node.intent('carol', SUBMIT, { ...payload, agentId: 'bob' });
    assertProblem(await node.post(PATH, foreign), 409, 'CAPABILITY_AGENT_MISMATCH');
    const bent = node.intent('carol', SUBMIT, { ...payload, sourceUri: 'http://forge.example' });
    assertProblem(await node.post(PATH, bent), 409, 'PAYLOAD_INVALID');
    const forged = { ...node.intent('carol', SUBMIT, payload), nonce: 'another' };
    assertProblem(await node.post(PATH, forged), 409, 'SIGNATURE_INVALID');
    assert.deepEqual(node.state(), { height, stateRoot });
  });

  test('answers with the receipt and where to read on', async () => {
    const answer = await node.post(PATH, node.intent('bob', SUBMIT, contributionOf()));
    assert.equal(answer.status, 201, answer.text);
    const { receipt, links, ...facts } = answer.body;
    assert.deepEqual(facts, {
      schema: 'NET-CONTRIBUTION-COMMITTED/1',
      chainId: node.chainId,
      status: 'committed',
      agentId: 'bob',
      contributionId: 'c-1',
      contributionStatus: 'BUILD_VERIFICATION',
      contentHash: hashOfDigit('1'),
    });
    assert.equal(answer.headers.location, `${PATH}/c-1`);
    for (const link of Object.values(links as Record<string, string>)) await node.document(link);
    assert.equal((receipt as JsonObject)['height'], node.height);
  });
});

describe(`GET ${PATH}`, () => {
  before(async () => {
    const second = contributionOf({ contributionId: 'c-2', contentHash: hashOfDigit('3') });
    await node.act('bob', SUBMIT, second);
    const third = contributionOf({
      contributionId: 'c-3',
      contentHash: hashOfDigit('4'),
      supersedes: 'c-2',
    });
    await node.act('bob', SUBMIT, third);
    const hers = { agentId: 'carol', contributionId: 'c-4', contentHash: hashOfDigit('5') };
    await node.act('carol', SUBMIT, contributionOf(hers));
  });

  for (const [query, expected] of [
    ['', ['c-4', 'c-3', 'c-2', 'c-1']],
    ['?author=bob', ['c-3', 'c-2', 'c-1']],
    ['?author=nobody', []],
    ['?status=BUILD_VERIFICATION', ['c-4', 'c-3', 'c-1']],
    ['?status=CHANGES_REQUIRED', ['c-2']],
    ['?status=DEPLOYED', []],
    ['?status=BUILD_VERIFICATION&author=bob', ['c-3', 'c-1']],
    ['?status=CHANGES_REQUIRED&author=carol', []],
  ] as const) {
    test(`with ${query || 'no filter'} lists ${expected.join(', ') || 'nothing'}`, async () => {
      const ids = (await listed(`${PATH}${query}`, 'contributions')).map(
        (one) => one['contributionId'],
      );
      assert.deepEqual(ids, expected);
    });
  }

  test('counts all by status, whatever the filter', async () => {
    const { total, byStatus } = await node.document(`${PATH}?author=nobody`);
    assert.equal(total, 0);
    assert.equal((await node.document(PATH))['total'], 4);
    assert.equal((await node.document(`${PATH}?status=CHANGES_REQUIRED`))['total'], 1);
    assert.deepEqual(byStatus, {
      BUILD_VERIFICATION: 3,
      SECURITY_REVIEW: 0,
      GOVERNANCE_READY: 0,
      RELEASE_CANDIDATE: 0,
      DEPLOYED: 0,
      CHANGES_REQUIRED: 1,
    });
  });

  test('comes in pages that lose nothing, and whose cursors are for their filters', async () => {
    const first = await node.document(`${PATH}?author=bob&limit=2`);
    const cursor = first['nextCursor'] as string;
    const rest = await node.document(`${PATH}?author=bob&limit=2&cursor=${cursor}`);
    const ids = [first, rest].flatMap((page) =>
      (page['contributions'] as JsonObject[]).map((one) => one['contributionId']),
    );
    assert.deepEqual(ids, ['c-3', 'c-2', 'c-1']);
    assert.equal(rest['nextCursor'], null);
    assertProblem(await node.get(`${PATH}?author=carol&cursor=${cursor}`), 400, 'CURSOR_INVALID');
  });

  for (const query of ['?status=deployed', '?status=', '?limit=0', '?limit=1001', '?cursor=x']) {
    test(`refuses ${query}`, async () => {
      const answer = await node.get(`${PATH}${query}`);
      assertProblem(answer, 400, query === '?cursor=x' ? 'CURSOR_INVALID' : 'PARAMETER_INVALID');
    });
  }

  test('knows no contribution and no proposal that is not there', async () => {
    assertProblem(await node.get(`${PATH}/c-none`), 404, 'CONTRIBUTION_NOT_FOUND');
    assertProblem(await node.get(`${PATH}/-c`), 400, 'PARAMETER_INVALID');
    const proposals = '/v1/governance/proposals';
    assertProblem(await node.get(`${proposals}/p-none`), 404, 'PROPOSAL_NOT_FOUND');
    assertProblem(await node.get(`${proposals}/-p`), 400, 'PARAMETER_INVALID');
    assertProblem(await node.get(`${proposals}?status=OPEN`), 400, 'PARAMETER_INVALID');
  });
});

test('agents who were paid and have staked carry a contribution to its release', async () => {
  const { governance, work } = DEVNET_POLICY;
  const fund = (to: string, amount: number) => node.act(operator, 'transfer', { to, amount });
  for (const verifierId of ['vera', 'vito']) {
    await node.join(verifierId);
    await fund(verifierId, 100 * UNET_PER_NET);
    await takeRole(node, verifierId, 'VERIFIER', {
      actions: ROLE_SETS.VERIFIER,
      profile: profileOf(verifierId, 'VERIFIER'),
      independenceGroup: `group-${verifierId}`,
    });
  }
  for (const auditorId of ['anna', 'arno']) {
    await node.join(auditorId);
    await takeRole(node, auditorId, 'AUDITOR', {
      actions: ['reviewProtocolContribution'],
      independenceGroup: `group-${auditorId}`,
    });
  }
  await node.act('alice', 'extendAgentCapabilities', {
    agentId: 'alice',
    actions: ['createWorkOrder'],
  });
  await fund('alice', 3 * work.minimumFunding);
  for (const orderId of ['o-1', 'o-2']) {
    const terms = { funding: work.minimumFunding, sealedVotes: false };
    const order = workOrderOf(orderId, terms);
    await node.act('alice', 'createWorkOrder', order);
    await node.act('carol', 'acceptWork', { orderId, agentId: 'carol' });
    await node.act('carol', 'submitWorkResult', resultOf(orderId, { agentId: 'carol' }));
    await pass({ heights: 1, milliseconds: 0 });
    for (const verifierId of ['vera', 'vito']) {
      const evidenceHash = hashOfDigit('e');
      const vote = { orderId, verifierId, vote: 'ACCEPT', evidenceHash };
      await node.act(verifierId, 'voteWork', vote);
    }
  }
  await pass(work.disputeWindow);
  for (const orderId of ['o-1', 'o-2']) await node.act('alice', 'settleVerifiedWork', { orderId });
  await fund('carol', 1_000 * UNET_PER_NET);
  await takeRole(node, 'carol', 'VALIDATOR', {
    actions: ROLE_SETS.VALIDATOR,
    profile: profileOf('carol', 'VALIDATOR', node.chainId),
  });
  await takeRole(node, 'carol', 'GOVERNOR', { actions: ROLE_SETS.GOVERNOR });

  const gates = ['reproducible-build', 'security-review', 'both-chambers'];
  const last = ['timelock-and-enactment', 'release-origins'];
  assert.deepEqual(await pipeline(), {
    status: 'BUILD_VERIFICATION',
    missing: [...gates, ...last],
    next: ['attestProtocolBuild'],
  });
  for (const verifierId of ['vera', 'vito']) {
    await node.act(verifierId, 'attestProtocolBuild', buildOf(verifierId));
  }
  assert.deepEqual((await pipeline()).next, ['reviewProtocolContribution']);
  for (const auditorId of ['anna', 'arno']) {
    await node.act(auditorId, 'reviewProtocolContribution', reviewOf(auditorId));
  }
  assert.deepEqual(await pipeline(), {
    status: 'GOVERNANCE_READY',
    missing: ['both-chambers', ...last],
    next: ['submitProposal'],
  });

  await node.act('carol', 'submitProposal', proposalOf({ governorId: 'carol' }));
  await node.act('carol', 'voteProposal', ballotOf('carol'));
  assert.deepEqual((await pipeline()).next, ['voteProposal']);
  const detail = await node.document('/v1/governance/proposals/p-1');
  const [vote] = detail['votes'] as JsonObject[];
  assert.deepEqual(
    [vote?.['voterId'], vote?.['stakeWeight'], vote?.['utilityWeight']],
    ['carol', 2 * work.minimumFunding, 2],
  );
  await pass(governance.votingPeriod);
  assert.deepEqual((await pipeline()).next, ['enactProtocolContribution']);
  await pass(governance.timelock);
  await node.act('carol', 'enactProtocolContribution', { governorId: 'carol', proposalId: 'p-1' });
  assert.deepEqual((await pipeline()).next, ['recordProtocolRelease']);
  await node.act('carol', 'recordProtocolRelease', releaseOf({ governorId: 'carol' }));
  assert.deepEqual(await pipeline(), { status: 'DEPLOYED', missing: [], next: [] });

  const [release] = await listed('/v1/protocol/releases', 'releases');
  assert.equal(release?.['version'], '1.4.0');
  assert.equal(release?.['artifactHash'], BUILD_HASH);
  const origins = release?.['origins'] as JsonObject[];
  assert.deepEqual(
    origins.map(({ uri }) => new URL(uri as string).host),
    ['forge.example', 'mirror.example'],
  );
});

test('proposals are listed by status, and the documents are canonical', async () => {
  const genesis = genesisProposalOf({ governorId: operator, proposalId: 'p-2' });
  await node.act(operator, 'submitProposal', genesis);
  const ids = async (query: string): Promise<unknown[]> =>
    (await listed(`/v1/governance/proposals${query}`, 'proposals')).map((one) => one['proposalId']);
  assert.deepEqual(await ids(''), ['p-2', 'p-1']);
  assert.deepEqual(await ids('?status=VOTING'), ['p-2']);
  assert.deepEqual(await ids('?status=ENACTED'), ['p-1']);
  assert.deepEqual(await ids('?status=EXPIRED'), []);
  for (const path of ['/v1/governance/proposals', '/v1/protocol/releases', `${PATH}/c-1`]) {
    const answer = await node.get(path);
    assert.equal(answer.text, canonicalize(answer.body));
    assert.equal((answer.body['snapshot'] as JsonObject)['height'], node.height);
  }
});
