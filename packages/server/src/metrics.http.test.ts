/** /metrics reports the same counts however often it is scraped. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HttpNode } from '@netd/testkit/http-node';

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

test('every refusal is counted, wherever it is sent', async () => {
  const refused = async (code: string): Promise<number> => {
    const { text } = await node.get('/metrics');
    return Number(
      new RegExp(`netd_refusals_total\\{code="${code}"\\} (\\d+)`).exec(text)?.[1] ?? 0,
    );
  };
  const rpc = (members: object): Promise<unknown> =>
    node.post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, ...members }));
  const call = (name: string, args: object): Promise<unknown> =>
    rpc({ method: 'tools/call', params: { name, arguments: args } });
  const CAUSES: [code: string, () => Promise<unknown>][] = [
    ['ROUTE_NOT_FOUND', () => node.get('/nowhere')],
    ['ROUTE_NOT_FOUND', () => node.get('/nowhere', { accept: 'text/html' })],
    ['METHOD_NOT_ALLOWED', () => node.request('PUT', '/health')],
    ['REQUEST_INVALID', () => node.raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')],
    ['REQUEST_INVALID', () => node.raw('nonsense\r\n\r\n')],
    ['CHECKPOINT_NOT_FOUND', () => node.get(`/v1/state/chunks/0?checkpoint=${'0'.repeat(64)}`)],
    ['ENVELOPE_INVALID', () => node.post('/v1/intents', '{}')],
    ['PRECONDITION_FAILED', () => node.get('/v1/token', { 'if-match': '"x"' })],
    ['RPC_-32700', () => node.post('/mcp', '{')],
    ['RPC_-32601', () => rpc({ method: 'nothing/known' })],
    ['RPC_-32602', () => call('net_nothing', {})],
    ['AGENT_NOT_FOUND', () => call('net_agent_lineage', { agentId: 'nobody-here' })],
    ['A2A_REQUEST_MALFORMED', () => node.post('/a2a/v1/message:send', '{}')],
    ['A2A_TASK_NOT_FOUND', () => node.get('/a2a/v1/tasks/1')],
  ];
  for (const [code, cause] of CAUSES) {
    const sofar = await refused(code);
    await cause();
    assert.equal(await refused(code), sofar + 1, `${code}: ${String(cause)}`);
  }
});

test('writes are timed by outcome', async () => {
  const earlier = await figure('netd_submit_seconds_count{outcome="committed"}');
  const refusedBefore = await figure('netd_submit_seconds_count{outcome="refused"}');
  await node.join('carol');
  await node.post('/v1/intents', '{}');
  assert.equal(await figure('netd_submit_seconds_count{outcome="committed"}'), earlier + 1);
  assert.equal(await figure('netd_submit_seconds_count{outcome="refused"}'), refusedBefore + 1);
  const { text } = await node.get('/metrics');
  const counts = [
    ...text.matchAll(/^netd_submit_seconds_bucket\{outcome="committed",le="[^"]+"\} (\d+)$/gm),
  ];
  const values = counts.map(([, count]) => Number(count));
  assert.ok(values.length > 5);
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  );
  assert.equal(values.at(-1), earlier + 1);
  assert.ok((await figure('netd_submit_seconds_sum{outcome="committed"}')) > 0);
});

test('the process is among them', async () => {
  assert.ok((await figure('process_resident_memory_bytes')) > 0);
});
