/** An agent whose node lies: what it notices by itself, and what it notices because it knows how the chain begins. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { agentMetadata, generateEncryptionKey, publicEncryptionKey } from '@netd/formats';
import { Answer, TamperingProxy, type Tamper } from '@netd/testkit/tampering-proxy';
import { UNET_PER_NET } from '@netd/protocol';
import { inCampaign, until } from '@netd/protocol/testing';
import { Agent, type AgentOptions } from './agent.ts';
import { codeOf } from './agent-error.ts';
import { memoryHome } from './leased-home.ts';
import { REVIEW_POLICY } from './testing/review-policy.ts';
import { once, stage } from './testing/staged.ts';

const staged = stage({ staffed: true });

/** An agent behind a liar that is honest until `lie` is set. */
async function behindLiar(
  t: TestContext,
  agentId: string,
  { lie, ...options }: AgentOptions & { lie?: Tamper } = {},
): Promise<{ agent: Agent; lie: (tamper: Tamper) => void }> {
  const { world } = staged;
  const proxy = await TamperingProxy.before(world.node.url);
  t.after(() => proxy.close());
  if (lie) proxy.tamper = lie;
  const agent = await Agent.open(agentId, world.options({ url: proxy.url, ...options }));
  t.after(async () => {
    proxy.tamper = (_path, document) => document;
    await agent.stop();
  });
  return { agent, lie: (tamper) => (proxy.tamper = tamper) };
}

/** Also behind a liar, but it knows how the chain begins. */
async function anchored(
  t: TestContext,
  agentId: string,
  options: AgentOptions & { lie?: Tamper } = {},
) {
  const { genesisHash } = await staged.world.client.network();
  return behindLiar(t, agentId, { genesisHash, ...options });
}

/** Changes members of documents under a path, wherever they stand. */
const saying =
  (start: string, change: (document: Record<string, never>) => unknown): Tamper =>
  (path, document) =>
    path.startsWith(start) ? change(document) : document;

type Shown = Record<string, unknown>;
const problem = (code: string): Shown => ({ code, title: code, detail: 'a lie', status: 409 });

describe('a node that lies to an agent', { timeout: 600_000 }, () => {
  for (const code of ['CAPABILITY_MISSING', 'INSUFFICIENT_BALANCE']) {
    test(`says ${code} of what it has committed, and is not paid twice`, async (t) => {
      const { world } = staged;
      const name = `payer-${code.slice(0, 4).toLowerCase()}`;
      const { agent, lie } = await behindLiar(t, name, { memory: false, beacon: false });
      await agent.act('extendAgentCapabilities', {
        agentId: name,
        actions: ['faucet', 'transfer'],
      });
      await agent.act('faucet', { amount: 9 * UNET_PER_NET });
      let lies = 0;
      lie((path, document) =>
        path === '/v1/intents' && lies++ === 0 ? new Answer(409, problem(code)) : document,
      );
      const { actorId: to } = world.requester;
      const before = await world.balanceOf(name);
      const pay = () => agent.act('transfer', { to, amount: UNET_PER_NET }, { id: 'rent' });
      // A missing capability is added at once, and the act tried again.
      if (code !== 'CAPABILITY_MISSING') await assert.rejects(pay(), { code });
      const { height } = await pay();
      assert.ok(height > 0, 'the receipt of the first');
      assert.equal(before - (await world.balanceOf(name)), UNET_PER_NET);
    });
  }

  for (const open of [behindLiar, anchored]) {
    test(`says that its rules are older, and is sent the genesis (${open.name})`, async (t) => {
      const { genesisHash, rules } = await staged.world.client.network();
      const options = { memory: false, beacon: false, home: memoryHome() };
      const name = `naming-${open.name.toLowerCase()}`;
      const { agent, lie } = await open(t, name, options);
      const named = async (one: Agent): Promise<unknown> => {
        const { transitionHash } = await one.act('faucet', { amount: 1 });
        const path = '/v1/transitions/{transitionHash}';
        return (await one.client.read(path, { transitionHash })).envelope['genesisHash'];
      };
      assert.equal(await named(agent), genesisHash);
      const older = saying('/v1/network', (document) => ({
        ...(document as Shown),
        rules: { ...rules, version: 1 },
      }));
      lie(older);
      assert.equal(await named(agent), genesisHash);
      await agent.stop();
      // A version that an earlier process proved is kept.
      const again = await open(t, name, { ...options, lie: older });
      assert.equal(await named(again.agent), genesisHash);
    });
  }

  test('would refuse an act even with its missing capability: the agent signs none, unless the node cannot tell', async (t) => {
    const { world } = staged;
    const { agent, lie } = await behindLiar(t, 'penniless', { memory: false, beacon: false });
    const pay = () => agent.act('transfer', { to: world.requester.actorId, amount: UNET_PER_NET });
    const acceptance = [{ kind: 'review', question: 'Does it rhyme?' }] as const;
    const offer = { title: 'A poem', instructions: 'Write it.', acceptance };
    const hire = () => agent.hire({ ...offer, funding: '20 NET', jury: 'none' });
    const added = async (): Promise<string[]> => {
      const { authority } = await world.client.read('/v1/agents/{agentId}', {
        agentId: 'penniless',
      });
      const actions = authority.capabilities.map(({ action }) => action);
      return ['transfer', 'createWorkOrder'].filter((action) => actions.includes(action));
    };
    await assert.rejects(pay(), { code: 'INSUFFICIENT_BALANCE' });
    await assert.rejects(hire(), { code: 'INSUFFICIENT_BALANCE' });
    assert.deepEqual(await added(), []);

    // Older nodes ignore that they should assume a capability.
    const missing = { code: 'CAPABILITY_MISSING', detail: '', errors: [] };
    let simulations = 0;
    lie((path, document) =>
      path === '/v1/intents:simulate' && simulations++ < 2
        ? { ...document, outcome: 'refused', refusal: missing }
        : document,
    );
    await assert.rejects(hire(), { code: 'INSUFFICIENT_BALANCE' });
    assert.deepEqual(await added(), ['createWorkOrder']);
    // A gateway may not know the path.
    lie((path, document) =>
      path === '/v1/intents:simulate' ? new Answer(404, problem('ROUTE_NOT_FOUND')) : document,
    );
    await assert.rejects(pay(), { code: 'INSUFFICIENT_BALANCE' });
    assert.deepEqual(await added(), ['transfer', 'createWorkOrder']);
  });

  test('answers with the receipt of another envelope: it is asked on, until its own comes', async (t) => {
    const { agent, lie } = await behindLiar(t, 'receiver', { memory: false, beacon: false });
    let lies = 0;
    lie((path, document) => {
      if (path !== '/v1/intents' || lies++ > 0) return document;
      const { receipt } = document as unknown as { receipt: Shown };
      return { ...document, receipt: { ...receipt, transitionHash: '0'.repeat(64) } };
    });
    const actions = ['faucet' as const];
    const receipt = await agent.act('extendAgentCapabilities', { agentId: 'receiver', actions });
    assert.notEqual(receipt.transitionHash, '0'.repeat(64));
    assert.equal(lies, 1);
  });

  test(
    'garbles, sends elsewhere, and answers with heights that are none: it is asked again',
    inCampaign,
    async (t) => {
      const { agent, lie } = await behindLiar(t, 'patient', { memory: false, beacon: false });
      const lies: unknown[] = ['<html>', '[', 'null', '7', { height: '1' }, { height: -5 }, {}];
      const told: string[] = [];
      agent.on('offline', ({ reason }) => void told.push(reason));
      lie((path, document) => (path === '/v1/network' ? (lies.shift() ?? document) : document));
      const actions = ['faucet' as const];
      const short = lies.splice(3);
      await agent.act('extendAgentCapabilities', { agentId: 'patient', actions });
      assert.match(told[0] ?? '', /with what is no JSON document.*\[NOT_A_NODE\]/);
      lies.push(...short.slice(0, 3));
      await agent.act('faucet', { amount: 1 });
      lie((path, document) =>
        path === '/v1/intents'
          ? new Answer(307, {}, { location: `${staged.world.node.url}/v1/intents` })
          : document,
      );
      const elsewhere = agent.act('faucet', { amount: 1 });
      await assert.rejects(elsewhere, (error) => codeOf(error) === 'HTTP_307');
    },
  );

  test(
    'hides a bond from the list, or tells other terms once it is chosen: nothing is accepted',
    inCampaign,
    async (t) => {
      const { world } = staged;
      const { agent, lie } = await behindLiar(t, 'careful', { memory: false });
      const skipped: string[] = [];
      agent.on('skipped', ({ code }) => void skipped.push(code));
      agent.onWork(() => 'three words here');
      const bond = UNET_PER_NET;
      const hidden = await world.order({ agentId: 'careful', workerBond: bond });
      lie((path, document) => {
        const { orders } = document as unknown as { orders?: Shown[] };
        if (!path.startsWith('/v1/work-orders?') || !orders) return document;
        return { ...document, orders: orders.map((one) => ({ ...one, workerBond: 0 })) };
      });
      void agent.run();
      await until(async () => skipped.includes('ORDER_CHANGED'));
      let reads = 0;
      lie(
        saying('/v1/work-orders/order-', (document) => {
          const { order } = document as unknown as { order: Shown };
          if (order['orderId'] === hidden || reads++ === 0) return document;
          return { ...document, order: { ...order, funding: 1_000 * UNET_PER_NET } };
        }),
      );
      skipped.length = 0;
      const changed = await world.order({ agentId: 'careful' });
      await until(async () => skipped.includes('ORDER_CHANGED'));
      for (const one of [hidden, changed]) assert.equal((await world.orderAt(one)).status, 'OPEN');
    },
  );

  test('shows an order unpaid that it has settled: the requester asks with pauses, until it is', async (t) => {
    const { world } = staged;
    const { agent, lie } = await behindLiar(t, 'waiter', { memory: false, beacon: false });
    await agent.act('faucet', { amount: 20 * UNET_PER_NET }, { id: 'money' });
    const worker = await Agent.open('doer', world.options({ memory: false }));
    t.after(() => worker.stop());
    worker.onWork({ minFunding: '5 NET' }, () => '"three words here"');
    void worker.run();
    const hired = await agent.hire({
      title: 'Three words',
      instructions: 'As a JSON string.',
      deliverable: { mediaType: 'application/json', maxBytes: 100 },
      acceptance: [{ kind: 'json-schema', schema: { type: 'string' } }],
      funding: '5 NET',
      worker: 'doer',
      validationPolicy: REVIEW_POLICY,
    });
    await hired.result();
    const verified = await hired.order();
    let reads = 0;
    lie((path, document) => {
      if (!path.startsWith(`/v1/work-orders/${hired.orderId}`)) return document;
      return ++reads < 6 ? { ...document, order: verified } : document;
    });
    const started = performance.now();
    assert.equal((await hired.accept()).status, 'PAID');
    // Without a pause it would have asked many times within what one pause takes.
    const reading = (performance.now() - started) / reads;
    assert.ok(reading > 500, `read ${reads} times, one each ${reading} ms`);
  });

  test('answers with another order than was asked for', inCampaign, async (t) => {
    const { world } = staged;
    const { agent, lie } = await behindLiar(t, 'exact', { memory: false, beacon: false });
    const orderId = await world.order({ agentId: 'exact' });
    lie(
      saying('/v1/work-orders/', (document) => {
        const { order } = document as unknown as { order: Shown };
        return { ...document, order: { ...order, orderId: 'order-other' } };
      }),
    );
    await assert.rejects(agent.offer(orderId), { code: 'ANSWER_MISMATCHED' });
    await assert.rejects(agent.deliver(orderId, 'x'), { code: 'ANSWER_MISMATCHED' });
  });
});

describe('a node that lies to an agent with an anchor', { timeout: 600_000 }, () => {
  test('cannot have a message sealed to a key of its own', async (t) => {
    const { world } = staged;
    const bob = await Agent.open('bob-sealed', world.options({ memory: false }));
    t.after(() => bob.stop());
    const own = await generateEncryptionKey();
    const forged = agentMetadata.make({
      schema: 'NET-AGENT-METADATA/1',
      agentId: 'bob-sealed',
      description: '',
      encryptionKey: publicEncryptionKey(own),
      blobs: [],
    });
    await world.store(forged.bytes);
    const tamper = saying('/v1/agents/bob-sealed', (document) => {
      const { beacon } = document as unknown as { beacon: Shown };
      return { ...document, beacon: { ...beacon, metadataHash: forged.hash } };
    });
    const keysOf = async (contentHash: string): Promise<string> =>
      new TextDecoder().decode((await world.fetch(contentHash)) ?? new Uint8Array());
    const { agent, lie } = await anchored(t, 'ann-sealed', { memory: false });
    lie(tamper);
    const sent = await agent.send('bob-sealed', 'secret');
    assert.ok(!(await keysOf(sent.contentHash)).includes(own.kid));
    // Without an anchor the same lie is believed, as docs/agents.md says.
    const trusting = await behindLiar(t, 'tim-sealed', { memory: false });
    trusting.lie(tamper);
    const { contentHash } = await trusting.agent.send('bob-sealed', 'secret');
    assert.ok((await keysOf(contentHash)).includes(own.kid));
  });

  test('cannot name another sender, another order or another height', async (t) => {
    const { world } = staged;
    const { agent, lie } = await anchored(t, 'ann-facts', { memory: false });
    const writer = await Agent.open('writer', world.options({ memory: false }));
    t.after(() => writer.stop());
    const { messageId } = await writer.send('ann-facts', 'pay writer');
    const { messages } = await world.client.read('/v1/agent-messages', { agentId: 'ann-facts' });
    const facts = messages.find((one) => one.messageId === messageId);
    assert.ok(facts);
    assert.equal((await agent.openMessage(facts)).text, 'pay writer');
    const untrue = { ...facts, fromAgentId: 'rita' };
    await assert.rejects(agent.openMessage(untrue), { code: 'ANSWER_NOT_PROVEN' });

    const orderId = await world.order({ agentId: 'ann-facts' });
    lie(
      saying('/v1/work-orders/', (document) => {
        const { order } = document as unknown as { order: Shown };
        return { ...document, order: { ...order, funding: 1, requesterId: 'mallory' } };
      }),
    );
    const { order } = await agent.offer(orderId);
    assert.deepEqual([order.funding, order.requesterId], [10 * UNET_PER_NET, 'rita']);

    lie((path, document) =>
      path === '/v1/network' ? { ...document, height: 1_000_000_000 } : document,
    );
    const payload = { agentId: 'ann-facts', actions: ['faucet' as const] };
    const { transitionHash } = await agent.act('extendAgentCapabilities', payload);
    const { envelope } = await world.client.read('/v1/transitions/{transitionHash}', {
      transitionHash,
    });
    assert.ok((envelope as unknown as { expiresAtHeight: number }).expiresAtHeight < 1_000_000);
  });

  test('cannot call unpaid work paid, nor hide or make up a memory', async (t) => {
    const { world } = staged;
    const { agent, lie } = await anchored(t, 'ann-memory');
    agent.memory.set('seen', 1);
    await agent.memory.commit();
    lie(saying('/v1/state/proof', (document) => ({ ...document, value: null })));
    agent.memory.set('seen', 2);
    await assert.rejects(agent.memory.commit(), { code: 'ANSWER_NOT_PROVEN' });
    lie((_path, document) => document);
    await agent.memory.commit();
    assert.equal(agent.memory.generation, 2);

    const unpaid = await world.order({ agentId: 'ann-memory' });
    lie(
      saying('/v1/work-orders/', (document) => {
        const { order } = document as unknown as { order: Shown };
        return { ...document, order: { ...order, status: 'PAID', workerId: 'ann-memory' } };
      }),
    );
    assert.equal((await agent.offer(unpaid)).order.status, 'OPEN');
    lie((path, document) => {
      if (!path.startsWith('/v1/transitions/')) return document;
      const { receipt } = document as unknown as { receipt: Shown };
      return { ...document, receipt: { ...receipt, events: [] } };
    });
    const payload = { agentId: 'ann-memory', actions: ['faucet' as const] };
    await assert.rejects(agent.act('extendAgentCapabilities', payload, { id: 'e' }), {
      code: 'ANSWER_NOT_PROVEN',
    });
    lie((_path, document) => document);
    await agent.act('extendAgentCapabilities', payload, { id: 'e' });
    const granted = await world.events('AgentCapabilitiesExtended');
    assert.equal(granted.filter((one) => one['agentId'] === 'ann-memory').length, 1);
  });

  test('of another chain is refused at the start', async () => {
    const options = staged.world.options({ genesisHash: 'ab'.repeat(32), memory: false });
    await assert.rejects(Agent.open('ann-elsewhere', options), { code: 'ANSWER_NOT_PROVEN' });
  });

  test('works, talks and is paid as usual if the node does not lie', async (t) => {
    const { world } = staged;
    const { agent } = await anchored(t, 'ann-honest');
    agent.onWork(() => 'three words here');
    agent.onMessage(() => 'The fourth.');
    const paid = once(agent, 'paid');
    void agent.run();
    await world.order({ agentId: 'ann-honest' });
    await paid;
    const asker = await anchored(t, 'ann-asker', { memory: false });
    assert.equal((await asker.agent.ask('ann-honest', 'Which?')).text, 'The fourth.');
  });
});
