/** A signer at a follower's address can read, and learns where to write. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { NetClient } from '@netd/sdk';
import { World } from '@netd/sdk/testing/world';
import { grant, Model } from './testing/model.ts';

test('an acting tool at a follower names the node that accepts writes, and what to tell the owner', async (t) => {
  const world = await World.start(t);
  const { path } = await grant(world, 'ada', { actions: ['transfer'], budget: 1_000_000 });
  const follower = await startFollower(t, [world.node.url]);
  const { height } = await new NetClient({ url: world.node.url }).network();
  await hasReached(follower, height);
  const model = await Model.start(t, world, path, { url: follower.url, askAbove: 1_000_000 });
  const { agentId } = (await model.call('agent_status')) as { agentId?: string };
  assert.equal(agentId, 'ada');
  const { isError, content } = await model.raw('agent_pay', {
    to: 'operator',
    amount: '0.1 NET',
    requestId: 'r-1',
  });
  assert.equal(isError, true);
  const { text } = content.at(-1) as { text: string };
  const { error } = JSON.parse(text) as {
    error: {
      code: string;
      message: string;
      details: { untrusted: true; content: { said: string } };
    };
  };
  assert.equal(error.code, 'FOLLOWER_TAKES_NO_WRITES', text);
  assert.ok(
    error.details.content.said.includes(
      `It follows ${world.node.url}, which takes them or says who does.`,
    ),
    text,
  );
  assert.match(error.message, /Nothing was done.*Tell the owner/);
});
