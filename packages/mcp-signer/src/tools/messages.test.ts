import assert from 'node:assert/strict';
import { test } from 'node:test';
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
  return { read, agent: { agentId: 'ada', client } };
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
