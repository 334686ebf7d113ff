/** An agent that works by ticks: each opens it, does what is due within its bounds, and leaves nothing behind. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@netd/protocol/testing';
import { Agent } from './agent.ts';
import type { Ticked } from './lifecycle.ts';
import { stage } from './testing/staged.ts';

const staged = stage({ staffed: true });
const bounded = { timeout: 120_000 };

/** Runs one alarm of an agent. */
async function tick(
  agentId: string,
  bounds: { timeout?: number; jobs?: number } = {},
  prepare: (agent: Agent) => void = (agent) => agent.onWork(({ orderId }) => `Made ${orderId}`),
): Promise<Ticked> {
  const agent = await Agent.open(agentId, staged.world.options());
  prepare(agent);
  return agent.tick(bounds);
}

describe('a tick', () => {
  it('earns: one accepts and delivers, a later one settles', bounded, async () => {
    const { world } = staged;
    const idle = await tick('ticker');
    assert.equal(idle.more, false);
    assert.deepEqual(idle.did, {});
    const orderId = await world.order({ agentId: 'ticker' });
    const worked = await tick('ticker');
    assert.deepEqual([worked.did.accepted, worked.did.delivered], [1, 1]);
    assert.equal(worked.more, false);
    assert.ok(worked.nextAt > Date.now() && worked.nextAt <= Date.now() + 60_000);
    await until(async () => (await world.orderAt(orderId)).phase === 'VERIFIED');
    await until(async () => (await tick('ticker')).did.paid === 1);
    assert.equal(await world.balanceOf('ticker'), (await world.orderAt(orderId)).funding);
    // The state is empty again: the next tick has nothing to do.
    assert.deepEqual((await tick('ticker')).did, {});
  });

  it('begins at most so many handlers, and says that there is more', bounded, async () => {
    const { world } = staged;
    assert.equal((await tick('bounded')).more, false);
    const asker = await Agent.open('many-questions', world.options());
    for (const number of [1, 2, 3]) await asker.send('bounded', `Question ${number}`);
    await asker.stop();
    const heard: string[] = [];
    const hear = (agent: Agent): void => agent.onMessage(({ text }) => void heard.push(text ?? ''));
    assert.equal((await tick('bounded', { jobs: 2 }, hear)).more, true);
    assert.equal(heard.length, 2);
    assert.equal((await tick('bounded', { jobs: 2 }, hear)).more, false);
    assert.deepEqual(heard.toSorted(), ['Question 1', 'Question 2', 'Question 3']);
  });

  it('abandons a handler at its timeout; the next tick calls it again', bounded, async () => {
    const { world } = staged;
    await tick('slowly');
    const orderId = await world.order({ agentId: 'slowly' });
    const aborted: unknown[] = [];
    const hang = (agent: Agent): void =>
      agent.onWork(async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        aborted.push(signal.reason);
        return new Promise<string>(() => {});
      });
    let late = null;
    // On a busy machine, the timeout may end a tick before its handler begins.
    while (aborted.length === 0) late = await tick('slowly', { timeout: 1_500 }, hang);
    assert.ok(late?.more && late.nextAt <= Date.now());
    assert.equal((await world.orderAt(orderId)).status, 'ACCEPTED');
    assert.equal((await tick('slowly')).did.delivered, 1);
  });

  it('gives an order back once its handler has failed three times', bounded, async () => {
    const { world } = staged;
    await tick('clumsy');
    await world.order({ agentId: 'clumsy' });
    const broken = (agent: Agent): void =>
      agent.onWork(() => {
        throw new Error('broken');
      });
    const { did } = await tick('clumsy', {}, broken);
    assert.deepEqual([did.failed, did.rejected], [3, 1]);
  });

  it('is refused while the agent runs, and after it', bounded, async () => {
    const agent = await Agent.open('runner', staged.world.options());
    const run = agent.run();
    await assert.rejects(agent.tick(), { code: 'AGENT_RUNNING' });
    await agent.stop();
    await run;
    await assert.rejects(agent.tick(), { code: 'AGENT_STOPPED' });
  });
});
