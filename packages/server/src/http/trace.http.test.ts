/**
 * Traces of a laboratory's transitions: rules, writes, timers, events. A thread executes the transitions
 * again.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { workOrderOf } from '@netd/ledger/testing';
import type { ApiError } from '@netd/engine';
import type { JsonObject } from '@netd/protocol';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';
import { Tracer } from './tracer.ts';

interface Trace {
  rules: { code: string; path: string; holds: boolean }[];
  reads: { key: string; value: JsonObject | null }[];
  writes: { key: string; before: JsonObject | null; after: JsonObject | null }[];
  timers: { kind: string; subject: string; height: number | null; time: number | null }[];
  nonce: { nonceHash: string; expiresAtHeight: number } | null;
  events: { type: string; data: JsonObject }[];
  refusal: JsonObject | null;
  leftOut: number;
}

describe('a laboratory tells what a transition did:', () => {
  let node: HttpNode;
  before(async () => {
    node = await HttpNode.start({ laboratory: true, idleBlockTime: 10_000 });
    await node.post('/v1/lab/mode', { mode: 'each' });
  });
  after(() => node.stop());

  const traceOf = async (hash: string): Promise<Trace> => {
    const { status, body, text } = await node.get(`/v1/lab/trace?transition=${hash}`);
    assert.equal(status, 200, text);
    assert.equal(body['transitionHash'], hash);
    return body['trace'] as unknown as Trace;
  };

  test('rules in order, records before and after, timers and events', async () => {
    const { actorId } = node.running.node.dataDir.operator;
    await node.join('payee');
    const paid = await node.act(actorId, 'transfer', { to: 'payee', amount: 700 });
    const ordered = await node.act(actorId, 'createWorkOrder', workOrderOf('o-1'));
    await node.act(actorId, 'transfer', { to: 'payee', amount: 300 });

    const transfer = await traceOf(paid.transitionHash);
    const codes = transfer.rules.map(({ code }) => code);
    assert.deepEqual(codes, [
      'KEY_MATERIAL_REFUSED',
      'ACTOR_UNKNOWN',
      'SIGNATURE_INVALID',
      'AUTHORITY_INACTIVE',
      'CHAIN_ID_MISMATCH',
      'INTENT_EXPIRED',
      'EXPIRY_TOO_FAR',
      'NONCE_REPLAYED',
      'ACTION_UNKNOWN',
      'CAPABILITY_MISSING',
      'ROLE_MISSING',
      'PAYLOAD_INVALID',
      'RECIPIENT_IS_SENDER',
      'RECIPIENT_UNKNOWN',
      'AGENT_RETIRED',
      'AUTHORITY_REVOKED',
      'INSUFFICIENT_BALANCE',
    ]);
    assert.ok(transfer.rules.every(({ holds }) => holds));
    const account = transfer.writes.find(({ key }) => key === 'account/payee');
    assert.deepEqual([account?.before?.['balance'] ?? 0, account?.after?.['balance']], [0, 700]);
    assert.deepEqual(
      transfer.events.map(({ type }) => type),
      paid.events.map(({ type }) => type),
    );
    assert.deepEqual([transfer.timers, transfer.refusal, transfer.leftOut], [[], null, 0]);
    assert.ok(transfer.nonce && transfer.nonce.expiresAtHeight > paid.height);

    const order = await traceOf(ordered.transitionHash);
    const timer = order.timers.find(({ kind }) => kind === 'timeOutWorkAcceptance');
    assert.equal(timer?.subject, 'o-1');
    assert.ok(Number(timer?.height) > ordered.height || Number(timer?.time) > 0);
    // Tracing an earlier transition again gives the same.
    assert.deepEqual(await traceOf(paid.transitionHash), transfer);
  });

  test('nothing waits for a long one, and one too long is refused', async () => {
    await node.post('/v1/lab/mine', { blocks: 1_000 });
    const { transitionHash, height } = await node.join('late');
    const order: string[] = [];
    const long = traceOf(transitionHash).then(() => order.push('trace'));
    await node.document('/v1/network').then(() => order.push('read'));
    await node.join('meanwhile').then(() => order.push('write'));
    await long;
    assert.deepEqual(order, ['read', 'write', 'trace']);

    const tracer = new Tracer(node.running.node.store.path, null, { most: 500 });
    const ask = (share: string) => tracer.trace(transitionHash, height, share);
    await assert.rejects(ask('a'), { code: 'LAB_TRACE_TOO_LONG' });
    const asked = Array.from('aaaaaabbbbbccccdddde');
    const answers = await Promise.allSettled(asked.map(ask));
    const refused = answers.flatMap((answer, index) => {
      const code = answer.status === 'rejected' ? (answer.reason as ApiError).code : 'made';
      return code === 'RATE_LIMITED' || code === 'OVERLOADED' ? [[index, code]] : [];
    });
    assert.deepEqual(refused, [
      // Sixteen requests wait when the last comes from another address. The newest of the address with the
      // most is refused.
      [4, 'OVERLOADED'],
      [5, 'RATE_LIMITED'],
      [10, 'RATE_LIMITED'],
    ]);
    await tracer.close();
  });

  test('blocks that were taken back are not traced, and those in their place are', async () => {
    await node.post('/v1/lab/snapshot', {});
    const gone = await node.join('undone');
    await traceOf(gone.transitionHash);
    await node.post('/v1/lab/revert', {});
    const path = `/v1/lab/trace?transition=${gone.transitionHash}`;
    assertProblem(await node.get(path), 404, 'TRANSITION_NOT_FOUND');
    const again = await node.join('instead');
    assert.equal(again.height, gone.height);
    assert.equal((await traceOf(again.transitionHash)).events[0]?.type, 'AgentRegistered');
  });

  test('traces a timer without rules', async () => {
    const { actorId } = node.running.node.dataDir.operator;
    await node.act(actorId, 'createWorkOrder', workOrderOf('o-2'));
    await node.post('/v1/lab/time', { seconds: 86_400, blocks: 510 });
    const { events } = await node.document('/v1/events?order=o-2&limit=5');
    const rejected = (events as JsonObject[]).find(({ type }) => type === 'WorkOrderRejected');
    assert.ok(rejected, JSON.stringify(events));
    const [height] = (rejected['id'] as string).split('.');
    const block = await node.document(`/v1/blocks/${height}`);
    const transitions = block['transitions'] as JsonObject[];
    const hashes = transitions.map((each) => (each['hash'] ?? each['transitionHash']) as string);
    const traces = await Promise.all(hashes.map(traceOf));
    const due = traces.find((trace) => trace.events.some(({ data }) => data['orderId'] === 'o-2'));
    assert.deepEqual(due?.rules, []);
    assert.ok(due?.writes.some(({ key }) => key.endsWith('/o-2')));
  });

  test('a question that is none, and a caller from elsewhere', async () => {
    assertProblem(await node.get('/v1/lab/trace'), 400, 'PARAMETER_INVALID');
    assertProblem(await node.get('/v1/lab/trace?transition=xyz'), 400, 'PARAMETER_INVALID');
    const path = `/v1/lab/trace?transition=${'ab'.repeat(32)}`;
    assertProblem(await node.get(path), 404, 'TRANSITION_NOT_FOUND');
    assertProblem(await node.get(path, { host: 'evil.example' }), 403, 'LAB_CALLER_REFUSED');
  });
});
