import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { systemClock } from '@netd/engine';
import { NEWEST_RULES } from '@netd/ledger';
import { hashOfDigit } from '@netd/protocol/testing';
import { HttpNode } from '@netd/testkit/http-node';

let node: HttpNode;
/** Milliseconds by which the machine's clock is wrong. */
let wrong = 0;

before(async () => {
  node = await HttpNode.start({ clock: { ...systemClock, now: () => systemClock.now() + wrong } });
  await node.join('alice');
});
after(() => node.stop());

const give = (): Promise<unknown> =>
  node.act(node.running.node.dataDir.operator.actorId, 'transfer', { to: 'alice', amount: 1 });

const metric = async (name: string): Promise<string | undefined> => {
  const text = await (await fetch(`${node.running.url}/metrics`)).text();
  return new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
};

test('a clock that has jumped is reported to the operator and to senders, until it is right', async () => {
  const height = node.height;
  wrong = 87_600 * 3_600_000;
  await until(() => node.running.node.faults().length > 0);
  const health = await node.document('/health');
  assert.equal(health['status'], 'degraded');
  assert.match(
    JSON.stringify(health['faults']),
    /clock of this machine jumped ahead by .*set right/,
  );
  assert.equal(await metric('netd_clock_fault'), '1');
  await assert.rejects(give(), /CLOCK_NOT_BELIEVED/);
  assert.equal((await node.document('/readyz'))['writes'], false);
  assert.equal(node.height, height);
  wrong = 0;
  await give();
  const { status, faults } = await node.document('/health');
  assert.deepEqual([status, faults], ['ok', []]);
  assert.equal((await node.document('/readyz'))['writes'], true);
  assert.equal(await metric('netd_clock_fault'), '0');
});

test('a full disk is reported before anybody writes, and readers are still sent here', async () => {
  const { store } = node.running.node;
  const hasRoom = store.hasRoom.bind(store);
  store.hasRoom = () => false;
  const { status, writes } = await node.document('/readyz');
  const { status: health, faults } = await node.document('/health');
  const figure = await metric('netd_health_issue\\{kind="disk"\\}');
  store.hasRoom = hasRoom;
  assert.deepEqual([status, writes, health, figure], ['ready', false, 'degraded', '1']);
  assert.match(
    JSON.stringify(faults),
    /disk of .* is full: no write is taken until 64 MiB are free/,
  );
  assert.equal((await node.document('/readyz'))['writes'], true);
});

test('counts the blocks before scheduled rules, and reports that this netd lacks them until they are cancelled', async () => {
  const operatorId = node.running.node.dataDir.operator.actorId;
  const version = NEWEST_RULES + 1;
  const artifactHash = hashOfDigit('a');
  assert.equal(await metric('netd_scheduled_rules_blocks'), undefined);
  const height = node.height + 10;
  await node.act(operatorId, 'scheduleRules', { version, height, artifactHash });
  for (const remaining of [8, 7]) {
    assert.equal(await metric('netd_scheduled_rules_blocks'), `${remaining}`);
    const { faults } = await node.document('/health');
    const sentence = `^\\["this netd stops before block ${height}, in ${remaining} blocks, because .* ${version} .*${artifactHash}"\\]$`;
    assert.match(JSON.stringify(faults), new RegExp(sentence));
    assert.equal(await metric('netd_health_issue\\{kind="unknown-rules"\\}'), '1');
    if (remaining === 8) await give();
  }
  await node.act(operatorId, 'cancelRules', { version });
  assert.equal(await metric('netd_scheduled_rules_blocks'), undefined);
  assert.deepEqual((await node.document('/health'))['faults'], []);
});

test('a chain whose identity is damaged on disk is not valid, and says why', async () => {
  const { state } = node.running.node.store.tables;
  const text = state.get('chain/identity')!;
  for (const damaged of [text.replace('net-', 'not-'), '{']) {
    await state.put('chain/identity', damaged);
    const found = await node.document('/v1/chain/verify');
    assert.deepEqual([found['valid'], found['stateProof']], [false, null]);
    const { height, reason } = found['fault'] as { height: number; reason: string };
    assert.equal(height, node.height);
    assert.match(reason, /chain.identity is not the one of the state tree/);
  }
  await state.put('chain/identity', text);
  const { valid, fault } = await node.document('/v1/chain/verify');
  assert.deepEqual([valid, fault], [true, null]);
});
