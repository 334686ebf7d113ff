import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex } from '@netd/protocol';
import { findTool } from '../tool-calls.ts';

/** A node whose list of messages never ends, and is empty. */
function endless() {
  const read = { pages: 0 };
  const page = (): object => ({ messages: [], nextCursor: `c-${++read.pages}` });
  const client = {
    read: async () => page(),
    pages: async function* () {
      for (;;) yield page();
    },
  };
  return { read, agent: { agentId: 'ada', client, parts: { idSecret: 'ab'.repeat(32) } } };
}

for (const [args, pages, code] of [
  [{}, 5, null],
  [{ messageId: 'm-1' }, 100, 'MESSAGE_UNKNOWN'],
] as const) {
  test(
    `agent_read_messages reads ${pages} pages of an endless list`,
    { timeout: 5_000 },
    async () => {
      const { read, agent } = endless();
      const run = findTool('agent_read_messages')?.run({ agent, args } as never);
      if (code === null) assert.deepEqual(await run, { messages: [], nextCursor: 'c-5' });
      else await assert.rejects(run ?? assert.fail(), { code });
      assert.equal(read.pages, pages);
    },
  );
}

test(
  'agent_send_message looks for its request in 3 pages of an endless list',
  { timeout: 5_000 },
  async () => {
    const { read, agent } = endless();
    const args = { to: 'bob', text: 'Hello.', requestId: 'r-1' };
    const signer = { session: { sessionId: 's-1' } };
    await assert.rejects(async () =>
      findTool('agent_send_message')?.run({ agent, signer, args } as never),
    );
    assert.equal(read.pages, 3);
  },
);

test('ids of agent_send_message cannot be computed by guessing the request and its text', async () => {
  const args = { to: 'bob', text: 'Yes.', requestId: '1' };
  const signer = { session: { sessionId: 's-1' } };
  const sent: { messageId: string; conversationId: string }[] = [];
  for (const byte of ['ab', 'ab', 'cd']) {
    const client = {
      read: async () => ({ agents: [] }),
      pages: async function* () {
        yield { messages: [] };
      },
    };
    const send = async (_to: string, _text: string, ids: (typeof sent)[number]): Promise<void> =>
      void sent.push(ids);
    const agent = { agentId: 'ada', client, send, parts: { idSecret: byte.repeat(32) } };
    const wantsAnswer = false;
    await findTool('agent_send_message')?.run({
      agent,
      signer,
      args: { ...args, wantsAnswer },
    } as never);
  }
  const [first, again, other] = sent;
  assert.ok(first && other);
  assert.deepEqual(again, first);
  const parts = (ids: typeof first): string[] =>
    [ids.messageId, ids.conversationId].flatMap((id) => id.split('-').slice(1));
  const [request = '', said = ''] = parts(first);
  assert.deepEqual(parts(first), [request, said, request, said]);
  assert.ok(parts(other).every((part) => part !== request && part !== said));
  assert.notEqual(said, sha256Hex(['bob', '', 'Yes.'].join('\0')).slice(0, 16));
});
