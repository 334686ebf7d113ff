/** The answers that models get from a follower that is still catching up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { startFollower } from '@netd/testkit/start-follower';
import { startGolden } from '@netd/testkit/golden-chain';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { TOOL_CASES } from '@netd/testkit/tool-cases';
import { TOOLS } from './tools.ts';

const MANY = 100_000;

interface Called {
  result: { isError?: boolean; content: { text: string }[] };
}

test('a tool that needs blocks which are not here says who has them', async (t) => {
  const writer = await startGolden({ discoveryPerMinute: MANY });
  t.after(() => writer.stop());
  const proxy = await TamperingProxy.before(writer.url);
  t.after(() => proxy.close());
  const first = writer.height - 16;
  proxy.tamper = (path, document) =>
    Number(/^\/v1\/blocks\/(\d+)/.exec(path)?.[1] ?? Infinity) < first ? null : document;
  const options = { from: 'checkpoint', discoveryPerMinute: MANY } as const;
  const follower = await startFollower(t, [proxy.url], options);

  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const call = async (name: string, given: JsonObject): Promise<Called> => {
    const params = { name, arguments: given };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const response = await fetch(`${follower.url}/mcp`, { method: 'POST', headers, body });
    return (await response.json()) as Called;
  };
  const refused = new Set<string>();
  for (const [name, cases] of Object.entries(TOOL_CASES)) {
    for (const [given] of cases) {
      const { result } = await call(name, given);
      const text = result.content[0]?.text ?? '';
      if (!text.includes('HISTORY_NOT_HELD')) continue;
      refused.add(name);
      assert.equal(result.isError, true);
      assert.deepEqual(JSON.parse(text), {
        code: 'HISTORY_NOT_HELD',
        message: `This follower began at a checkpoint and does not have these blocks yet. It has the blocks from height ${first} on so far; ${proxy.url} has those before it. Call ${name} there, at /mcp of that address, or here again in 5 s.`,
        arguments: [],
        next: [],
      });
    }
  }
  assert.ok(refused.size > 0 && refused.size < TOOLS.length, [...refused].join());
});
