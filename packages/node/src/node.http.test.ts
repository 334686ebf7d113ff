import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { beaconOf } from '@netd/ledger/testing';
import { utf8Bytes } from '@netd/protocol';
import { ApiError, BlockExecutor, type CommittedEnvelope, SoloSigner } from '@netd/engine';
import { statementOf, UnexpectedHeadError } from '@netd/engine/testing';
import { NetNode } from './node.ts';
import type { NodeOptions } from './node-options.ts';
import { validateChain } from '@netd/testkit/validate-chain';
import { giftBytes, intentBytes, registrationBytes } from '@netd/testkit/envelopes';
import { tempDir } from '@netd/testkit/temp-dir';

async function startNode(t: TestContext, options: Partial<NodeOptions> = {}): Promise<NetNode> {
  const node = await NetNode.start({ dataDir: tempDir(t), blockTime: 5, ...options });
  t.after(() => node.stop());
  return node;
}

const register = (node: NetNode, actorId: string): Promise<CommittedEnvelope> =>
  node.admission.submit('registration', registrationBytes(actorId), '127.0.0.1');

function refusedWith(code: string, receipt?: unknown): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, code);
    if (receipt !== undefined) assert.deepEqual(error.data.receipt, receipt);
    return true;
  };
}

test('a second node on the same directory is refused, and the first goes on', async (t) => {
  const node = await startNode(t);
  await assert.rejects(NetNode.start({ dataDir: node.dataDir.path }), /another netd/);
  await register(node, 'alice');
});

test('a start that fails gives the lock back', async (t) => {
  const dataDir = tempDir(t);
  const node = await NetNode.start({ dataDir });
  await node.store.tables.meta.put('format', '99');
  await node.stop();
  await assert.rejects(NetNode.start({ dataDir }), /has format 99/);
  await assert.rejects(NetNode.start({ dataDir }), /has format 99/);
});

test('what is no envelope is refused before anything else', async (t) => {
  const node = await startNode(t);
  const submit = (body: Uint8Array): Promise<unknown> =>
    node.admission.submit('intent', body, '127.0.0.1');
  for (const text of ['', '{', '[]', 'null', '1', '{"a":1,"a":2}', '{}']) {
    await assert.rejects(submit(utf8Bytes(text)), refusedWith('ENVELOPE_INVALID'), text);
  }
  await assert.rejects(submit(new Uint8Array(65_537)), refusedWith('BODY_TOO_LARGE'));
  assert.equal(node.mempool.reservedCount, 0);
});

test('a full queue, or one address with its share of it, is refused at once', async (t) => {
  const node = await startNode(t, { admission: { total: 3, perAddress: 2 } });
  const submit = (actorId: string, address: string): Promise<unknown> =>
    node.admission.submit('registration', registrationBytes(actorId), address);
  const waiting = [submit('agent-a', 'one'), submit('agent-b', 'one')];
  await assert.rejects(submit('agent-c', 'one'), refusedWith('OVERLOADED'));
  waiting.push(submit('agent-d', 'two'));
  await assert.rejects(submit('agent-e', 'three'), refusedWith('OVERLOADED'));
  await Promise.all(waiting);
  assert.equal(node.mempool.reservedCount, 0);
  await submit('agent-c', 'one');
});

test('envelopes of one agent are executed in the order in which they arrived', async (t) => {
  const node = await startNode(t);
  await register(node, 'alice');
  const { height } = node.chain;
  const sent = Array.from({ length: 60 }, (_, i) => {
    // The thread pool needs different times for bodies of different sizes.
    const endpoint = `https://agent.example/${'x'.repeat(i % 2 === 0 ? 0 : 480)}`;
    const beacon = beaconOf('alice', height, { sequence: i + 1, endpoint });
    const members = { nonce: `n-${i}`, expiresAtHeight: height + 100 };
    const body = intentBytes('alice', 'publishBeacon', beacon, members);
    return node.admission.submit('intent', body, '127.0.0.1');
  });
  // A wrong body in between does not delay the others.
  const wrong = node.admission.submit('intent', utf8Bytes('{'), '127.0.0.1');
  await assert.rejects(wrong, refusedWith('ENVELOPE_INVALID'));
  const places = (await Promise.all(sent)).map(({ receipt }) => receipt);
  for (const [i, place] of places.entries()) {
    const before = places[i - 1];
    if (!before) continue;
    assert.ok(
      place.height > before.height ||
        (place.height === before.height && place.index > before.index),
    );
  }
});

test('a client that lost the answer gets the receipt when it retries', async (t) => {
  const dataDir = tempDir(t);
  const node = await NetNode.start({ dataDir, blockTime: 5 });
  const { receipt } = await register(node, 'alice');
  const gift = giftBytes(node.dataDir.operator, 'alice', 'once', node.chain.height + 50);
  const both = await Promise.allSettled([
    node.admission.submit('intent', gift, '127.0.0.1'),
    node.admission.submit('intent', gift, '127.0.0.2'),
  ]);
  const [first, second] = both;
  assert.ok(first.status === 'fulfilled' && second.status === 'rejected');
  refusedWith('NONCE_REPLAYED', first.value.receipt)(second.reason);
  await node.stop();
  await node.stop();

  const again = await startNode(t, { dataDir });
  await assert.rejects(register(again, 'alice'), refusedWith('AGENT_EXISTS', receipt));
  await assert.rejects(
    again.admission.submit('intent', gift, '127.0.0.1'),
    refusedWith('NONCE_REPLAYED', first.value.receipt),
  );
  // Spaces between members do not make it another envelope.
  const spaced = utf8Bytes(JSON.stringify(JSON.parse(new TextDecoder().decode(gift)), null, 2));
  await assert.rejects(
    again.admission.submit('intent', spaced, '127.0.0.1'),
    refusedWith('NONCE_REPLAYED', first.value.receipt),
  );
  assert.deepEqual(validateChain(again.store), []);
});

test('a stopping node commits what waits, then answers that it is not there', async (t) => {
  const node = await startNode(t, { blockTime: 200 });
  await register(node, 'alice');
  const { mempool } = node;
  const { onReady } = mempool;
  const isReady = new Promise<void>((resolve) => {
    mempool.onReady = () => {
      onReady();
      resolve();
    };
  });
  const waiting = register(node, 'bob');
  await isReady;
  const stopped = node.stop();
  assert.equal(node.ready, false);
  await assert.rejects(register(node, 'carol'), refusedWith('NODE_NOT_READY'));
  assert.equal((await waiting).receipt.height, 2);
  await stopped;
});

test('a node whose database another process has written to takes no more requests and says why', async (t) => {
  const dataDir = tempDir(t);
  let why: unknown = null;
  const node = await NetNode.start({ dataDir, blockTime: 5, onHalt: (error) => (why = error) });
  const { chain, store } = node;
  const other = BlockExecutor.load(chain.identity, store, chain.head);
  const { hash, write } = other.seal(other.open(chain.head, Date.now()));
  const { actorId, privateKey } = node.dataDir.validator;
  const certificate = new SoloSigner(actorId, privateKey).certify(
    statementOf(write.header, hash),
    chain.validatorSetAt(0),
  );
  await store.commitBlock({ ...write, certificate });
  await assert.rejects(register(node, 'alice'), refusedWith('NODE_NOT_READY'));
  assert.ok(why instanceof UnexpectedHeadError);
  assert.equal(node.ready, false);
  await assert.rejects(register(node, 'bob'), refusedWith('NODE_NOT_READY'));
  await node.stop();
  const again = await startNode(t, { dataDir });
  await register(again, 'alice');
  assert.deepEqual(validateChain(again.store), []);
});

test('the feed reports every block once, to the agents that it concerns', async (t) => {
  const node = await startNode(t);
  const all: string[] = [];
  const bobs: number[] = [];
  node.events.subscribe({}, (events) => all.push(...events.map(({ type }) => type)));
  const leave = node.events.subscribe({ agent: 'bob' }, (events, height) => {
    if (events.length > 0) bobs.push(height);
  });
  await register(node, 'alice');
  const { receipt } = await register(node, 'bob');
  leave();
  await node.admission.submit(
    'intent',
    giftBytes(node.dataDir.operator, 'bob', 'n', node.chain.height + 50),
    '127.0.0.1',
  );
  assert.deepEqual(all, ['AgentRegistered', 'AgentRegistered', 'Transferred']);
  assert.deepEqual(bobs, [receipt.height]);
  assert.equal(node.events.size, 1);
});
