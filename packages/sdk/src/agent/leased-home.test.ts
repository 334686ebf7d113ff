import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { utf8Bytes } from '@netd/protocol';
import type { AgentState } from './home.ts';
import { keepLease } from './lease.ts';
import { leasedHome, memoryStore } from './leased-home.ts';
import { requireFence, requireShared } from './testing/shared-store.ts';

describe('a leased home', () => {
  it('fences a process off once another one has its lease', () => requireFence(memoryStore()));

  it('keeps the first of two secrets', async () => {
    const home = leasedHome(memoryStore());
    await home.writeSecret('ada', 'first');
    await home.writeSecret('ada', 'second');
    assert.equal(await home.readSecret('ada'), 'first');
  });

  it('reports a lease without an end as one', async () => {
    const home = leasedHome(memoryStore(), { lease: Infinity });
    await home.openState();
    await assert.rejects(home.openState(), { code: 'AGENT_RUNNING' });
  });
});

describe('a store in memory', () => {
  it('keeps the promises of a shared store', () => requireShared(memoryStore()));
});

describe('the lease of an agent', () => {
  it('is renewed until another process has it, which ends the agent', async () => {
    const store = memoryStore();
    const controller = new AbortController();
    const abort = (reason: unknown): void => controller.abort(reason);
    // As an instance of a class has its methods.
    const opened = Object.create(await leasedHome(store, { lease: 30 }).openState()) as AgentState;
    const state = keepLease(opened, { signal: controller.signal, abort }, () => assert.fail());
    const first = await store.get('lease');
    while ((await store.get('lease')) === first) await new Promise((wait) => setTimeout(wait, 1));
    await store.writeIf({ key: 'fence', text: (await store.get('fence'))! }, 'fence', '9 other');
    await assert.rejects(state.put('act.json', utf8Bytes('{}')), { code: 'HOME_FENCED' });
    assert.equal((controller.signal.reason as { code: string }).code, 'HOME_FENCED');
    assert.equal(await state.get('act.json'), null);
    assert.deepEqual(await state.names(), []);
  });
});
