/** What /metrics says is what has happened, however often it is asked. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HttpNode } from './testing/http-node.ts';

let node: HttpNode;

before(async () => {
  node = await HttpNode.start();
});
after(() => node.stop());

async function figure(name: string): Promise<number> {
  const { text } = await node.get('/metrics');
  const line = text.split('\n').find((it) => it.startsWith(`${name} `));
  assert.ok(line, `${name} is not among them`);
  return Number(line.slice(name.length));
}

test('blocks, transitions and refusals are counted, before the first question too', async () => {
  await node.join('alice');
  await node.get('/v1/agents?limit=none');
  await node.get('/v1/agents?limit=none');
  for (const _ of ['asked once', 'asked again']) {
    assert.equal(await figure('netd_height'), node.height);
    assert.equal(await figure('netd_blocks_total'), node.height);
    assert.equal(await figure('netd_refusals_total{code="PARAMETER_INVALID"}'), 2);
  }
  const transitions = await figure('netd_transitions_total');
  await node.join('bob');
  assert.ok((await figure('netd_transitions_total')) > transitions);
  assert.equal(await figure('netd_block_failures_total'), 0);
});

test('the process is among them', async () => {
  assert.ok((await figure('process_resident_memory_bytes')) > 0);
});
