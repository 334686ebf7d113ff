/** Applications and claims over HTTP: answers, lists, retries after a lost answer, and replays. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject, Receipt } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { assertProblem, HttpNode, type Answer } from '@netd/testkit/http-node';
import { verifyUrl } from '@netd/sync';

const APPLY = '/v1/operator-applications';
const CLAIM = '/v1/operator-invitations/claim';

interface Listed {
  applicationId: string;
  status: string;
  invitation: { invitationId: string; status: string; approvedBy: string | null } | null;
}

let node: HttpNode;
let operator: string;
before(async () => {
  node = await HttpNode.start();
  operator = node.running.node.dataDir.operator.actorId;
});
after(() => node.stop());

async function apply(actorId: string, role: string, members: JsonObject = {}): Promise<Answer> {
  const answer = await node.post(APPLY, node.application(actorId, role, members));
  assert.equal(answer.status, 201, answer.text);
  return answer;
}

const invitationOf = ({ body }: Answer): string => body['invitationId'] as string;

async function list(query = ''): Promise<Listed[]> {
  return (await node.document(`${APPLY}${query}`))['applications'] as unknown as Listed[];
}

const transfer = { action: 'transfer' };

describe('a human', () => {
  test('applies, claims, and acts', async () => {
    const applied = await apply('hanna', 'HUMAN');
    const receipt = applied.body['receipt'] as unknown as Receipt;
    assert.equal(applied.body['status'], 'APPROVED');
    assert.equal(invitationOf(applied), receipt.transitionHash);
    assert.equal(applied.headers.location, `/v1/transitions/${receipt.transitionHash}`);
    const transition = await node.document(`/v1/transitions/${receipt.transitionHash}`);
    assert.equal(transition['kind'], 'application');

    const claimed = await node.post(CLAIM, node.claim('hanna', invitationOf(applied)));
    assert.equal(claimed.status, 201, claimed.text);
    assert.equal(claimed.body['status'], 'active');
    const { authorityProof, transition: link } = claimed.body['links'] as Record<string, string>;
    assert.equal((await node.document(link ?? ''))['kind'], 'claim');
    const { value } = (await node.document(authorityProof ?? '')) as { value: JsonObject };
    assert.deepEqual(value['roles'], ['HUMAN']);

    await node.act(operator, 'transfer', { to: 'hanna', amount: 10 });
    await node.act('hanna', 'transfer', { to: operator, amount: 10 });
  });
  test('finds the receipts of lost answers by sending the same again', async () => {
    const application = node.application('henry', 'HUMAN');
    const applied = await node.post(APPLY, application);
    const again = assertProblem(await node.post(APPLY, application), 409, 'APPLICATION_EXISTS');
    assert.deepEqual(again.receipt, applied.body['receipt']);
    const claim = node.claim('henry', invitationOf(applied));
    const claimed = await node.post(CLAIM, claim);
    const duplicate = assertProblem(await node.post(CLAIM, claim), 409, 'INVITATION_CLAIMED');
    assert.deepEqual(duplicate.receipt, claimed.body['receipt']);
    const other = await node.post(CLAIM, node.claim('henry', invitationOf(applied)));
    assert.equal(assertProblem(other, 409, 'INVITATION_CLAIMED').receipt, undefined);
  });
});

describe('a malformed body is 400, a broken rule is 409, and neither writes', () => {
  const cases: [
    name: string,
    path: string,
    body: () => JsonObject,
    status: number,
    code: string,
  ][] = [
    ['nothing', APPLY, () => ({}), 400, 'ENVELOPE_INVALID'],
    ['a registration', APPLY, () => node.registration('ivy'), 400, 'ENVELOPE_INVALID'],
    ['a claim', APPLY, () => node.claim('ivy', 'i-1'), 400, 'ENVELOPE_INVALID'],
    ['an application', CLAIM, () => node.application('ivy', 'HUMAN'), 400, 'ENVELOPE_INVALID'],
    [
      'an application',
      '/v1/agents/register',
      () => node.application('ivy', 'HUMAN'),
      400,
      'ENVELOPE_INVALID',
    ],
    [
      'the role of an operator',
      APPLY,
      () => node.application('ivy', 'OPERATOR'),
      400,
      'ENVELOPE_INVALID',
    ],
    [
      'a stranger to the role',
      APPLY,
      () => node.application('ivy', 'GOVERNOR'),
      409,
      'APPLICATION_SCOPE_INVALID',
    ],
    [
      'a broken signature',
      APPLY,
      () => ({ ...node.application('ivy', 'HUMAN'), nonce: 'changed' }),
      409,
      'SIGNATURE_INVALID',
    ],
    [
      'another chain',
      CLAIM,
      () => node.claim('ivy', 'i-1', { chainId: 'net-elsewhere-1' }),
      409,
      'CHAIN_ID_MISMATCH',
    ],
    ['no invitation', CLAIM, () => node.claim('ivy', 'i-1'), 409, 'INVITATION_UNKNOWN'],
  ];
  for (const [name, path, body, status, code] of cases) {
    test(`${name} at ${path}: ${code}`, async () => {
      const untouched = node.state();
      assertProblem(await node.post(path, body()), status, code as 'ENVELOPE_INVALID');
      assert.deepEqual(node.state(), untouched);
    });
  }
});

test('an operator decides about what lies beyond the bounds; the list shows it', async () => {
  for (const name of ['otto', 'olga']) {
    const answer = await apply(name, 'HUMAN', { capabilities: [transfer] });
    assert.deepEqual([answer.body['status'], invitationOf(answer)], ['PENDING', null]);
  }
  await node.act(operator, 'createOperatorInvitation', { applicationId: 'app-otto' });
  await node.act(operator, 'rejectOperatorApplication', { applicationId: 'app-olga' });
  const [otto] = await list('?status=APPROVED');
  assert.equal(otto?.applicationId, 'app-otto');
  assert.equal(otto?.invitation?.approvedBy, operator);
  assert.equal(otto?.invitation?.status, 'OPEN');
  assert.deepEqual(
    (await list('?status=REJECTED')).map(({ applicationId }) => applicationId),
    ['app-olga'],
  );
  const claimed = await node.post(CLAIM, node.claim('otto', otto?.invitation?.invitationId ?? ''));
  assert.equal(claimed.status, 201, claimed.text);
  assert.ok((await list('?status=CLAIMED')).some(({ applicationId: id }) => id === 'app-otto'));
});

test('the list pages newest first, filters by status, and tells what has expired', async () => {
  const expiresAtHeight = node.height + 5;
  for (let i = 0; i < 4; i++) {
    await apply(`late-${i}`, 'HUMAN', { capabilities: [transfer], expiresAtHeight });
  }
  const mine = async (query: string): Promise<string[]> =>
    (await list(query)).map(({ applicationId: id }) => id).filter((id) => id.includes('late'));
  assert.equal((await mine('?status=PENDING')).length, 4);
  assert.deepEqual(await mine('?status=EXPIRED'), []);
  await apply('early', 'HUMAN');
  // The block of the expiry comes without a write, and can be read before the chain reports it.
  await until(async () => (await mine('?status=PENDING')).length === 0);
  assert.ok(((await node.document(APPLY))['height'] as number) > expiresAtHeight);
  const expired = ['app-late-3', 'app-late-2', 'app-late-1', 'app-late-0'];
  assert.deepEqual(await mine('?status=EXPIRED'), expired);

  const first = await node.document(`${APPLY}?limit=3`);
  const all = await node.document(APPLY);
  const second = await node.document(`${APPLY}?cursor=${first['nextCursor'] as string}`);
  assert.deepEqual(
    [...(first['applications'] as JsonObject[]), ...(second['applications'] as JsonObject[])],
    all['applications'],
  );
  assert.equal(all['total'], (all['applications'] as JsonObject[]).length);
  assertProblem(await node.get(`${APPLY}?status=UNFINISHED`), 400, 'PARAMETER_INVALID');
  const foreign = `${APPLY}?status=EXPIRED&cursor=${first['nextCursor'] as string}`;
  assertProblem(await node.get(foreign), 400, 'CURSOR_INVALID');
});

test('a replay from genesis accepts every application and claim again', async () => {
  const report = await verifyUrl(node.url, {});
  assert.equal(report.fault, null);
  assert.ok(report.transitions > 15);
});
