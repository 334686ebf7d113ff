import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { serve, type RunningNode } from '@netd/node';
import type { Receipt } from '@netd/protocol';
import { AgentKey } from './agent-key.ts';
import { NetClient } from './client.ts';
import { buildPath, type ParametersOf, type SchemaOf } from './reads.ts';

describe('a path with parameters', () => {
  test('fills its braces, and sends other parameters as the query', () => {
    const path = '/v1/agents/{agentId}/operations';
    assert.equal(buildPath(path, { agentId: 'a/b?c' }), '/v1/agents/a%2Fb%3Fc/operations');
    assert.equal(buildPath('/v1/agents', { limit: 2, cursor: undefined }), '/v1/agents?limit=2');
    assert.equal(
      buildPath('/v1/discovery', { capability: 'a&b' }),
      '/v1/discovery?capability=a%26b',
    );
    assert.equal(buildPath('/v1/agents'), '/v1/agents');
  });

  test('refuses what is missing, or would lead elsewhere', () => {
    for (const agentId of [undefined, '', '.', '..']) {
      assert.throws(() => buildPath('/v1/agents/{agentId}', { agentId }), {
        code: 'ARGUMENT_INVALID',
        message: /\/v1\/agents\/\{agentId\} needs agentId/,
      });
    }
    assert.equal(buildPath('/v1/agents/{agentId}', { agentId: '...' }), '/v1/agents/...');
  });
});

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Never called: the compiler checks these lines. */
export async function typesOfReads(client: NetClient): Promise<void> {
  void (true satisfies Same<ParametersOf<'/v1/agent-trust'>, Record<string, never>>);
  void (true satisfies Same<
    ParametersOf<'/v1/blocks/{height}'>,
    { height: number; events?: 'all' | 'none' | undefined }
  >);
  const { agents, nextCursor } = await client.read('/v1/agents', { limit: 2, cursor: undefined });
  void (true satisfies Same<typeof nextCursor, string | null>);
  void (true satisfies Same<(typeof agents)[number]['status'], 'active' | 'suspended' | 'retired'>);
  const { receipt } = await client.read('/v1/transitions/{transitionHash}', { transitionHash: '' });
  receipt satisfies Receipt;
  void (true satisfies Same<SchemaOf<'AcceptWorkIntent'>['action'], 'acceptWork'>);
  // @ts-expect-error: no such path
  await client.read('/v1/nobody');
  // @ts-expect-error: a path that answers with a text
  await client.read('/llms.txt');
  // @ts-expect-error: a path that answers with a document
  await client.text('/v1/agents');
  // @ts-expect-error: the path needs an agent
  await client.read('/v1/agents/{agentId}');
  // @ts-expect-error: a number
  await client.read('/v1/agents', { limit: 'ten' });
  // @ts-expect-error: no such parameter
  await client.read('/v1/agents', { owner: 'ann' });
  // @ts-expect-error: the path takes none
  await client.read('/v1/agent-trust', { limit: 2 });
  // @ts-expect-error: no such member
  void (await client.read('/v1/agents')).members;
  // @ts-expect-error: a document, not a list
  client.pages('/v1/agent-trust');
  for await (const order of client.items('/v1/work-orders')) order.orderId satisfies string;
  for await (const { height } of client.items('/v1/blocks')) height satisfies number;
  // @ts-expect-error: no such member
  for await (const { orderId } of client.items('/v1/agents')) void orderId;
}

describe('a client', () => {
  const directory = mkdtempSync(join(tmpdir(), 'netd-sdk-reads-'));
  let running: RunningNode;
  let client: NetClient;
  before(async () => {
    running = await serve({ host: '127.0.0.1', port: 0, dataDir: directory, blockTime: 1 });
    client = new NetClient({ url: running.url });
    for (const actorId of ['ann', 'ben', 'cid']) {
      await client.register({ actorId, key: await AgentKey.generate() });
    }
  });
  after(async () => {
    await running.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('reads documents and texts by their paths', async () => {
    const { agent } = await client.read('/v1/agents/{agentId}', { agentId: 'ann' });
    assert.equal(agent.agentId, 'ann');
    assert.equal((await client.agentTrust()).schema, 'NET-AGENT-TRUST-REPORT/1');
    assert.match(await client.text('/llms.txt'), /^# /);
    await assert.rejects(client.read('/v1/agents/{agentId}', { agentId: 'nobody' }), {
      code: 'AGENT_NOT_FOUND',
    });
  });

  test('goes through a list page by page, from any cursor', async () => {
    const ids: string[][] = [];
    let second: string | null | undefined;
    for await (const { agents, nextCursor } of client.pages('/v1/agents', { limit: 1 })) {
      ids.push(agents.map(({ agentId }) => agentId));
      second ??= nextCursor;
    }
    assert.deepEqual(ids, [['cid'], ['ben'], ['ann']]);
    const rest: string[] = [];
    for await (const { agents } of client.pages('/v1/agents', { cursor: second ?? '' })) {
      rest.push(...agents.map(({ agentId }) => agentId));
    }
    assert.deepEqual(rest, ['ben', 'ann']);
    await assert.rejects(client.pages('/v1/agents', { cursor: 'x' }).next(), {
      code: 'CURSOR_INVALID',
    });
    const items: string[] = [];
    for await (const { agentId } of client.items('/v1/agents', { limit: 2 })) items.push(agentId);
    assert.deepEqual(items, ['cid', 'ben', 'ann']);
    await assert.rejects(client.items('/v1/agents', { cursor: 'x' }).next(), {
      code: 'CURSOR_INVALID',
    });
  });

  test('signs as its own or a given actor, and refuses to act without one', async () => {
    const own = { actorId: 'dan', key: await AgentKey.generate() };
    const other = { actorId: 'eve', key: await AgentKey.generate() };
    const acting = new NetClient({ url: running.url, actor: own });
    await acting.register(own);
    await acting.register(other);
    const extension = (agentId: string) => ({ agentId, actions: ['faucet' as const] });
    const agentOf = ({ events }: Receipt): unknown =>
      new Map(Object.entries(events[0]?.data ?? {})).get('agentId');
    const mine = await acting.act('extendAgentCapabilities', extension('dan'));
    assert.equal(agentOf(mine), 'dan');
    const others = await acting.act(other, 'extendAgentCapabilities', extension('eve'));
    assert.equal(agentOf(others), 'eve');
    await assert.rejects(client.act('faucet', { amount: 1 }), {
      code: 'ARGUMENT_INVALID',
      message: /actor: faucet needs one/,
    });
  });
});
