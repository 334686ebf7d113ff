/** A network for tests that begins with the state of another: its agents, its orders, its money, and none of its keys. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UNET_PER_NET } from '@netd/protocol';
import { inCampaign } from '@netd/protocol/testing';
import { NetworkStartError, startLiar, startNetwork, type Network } from './index.ts';

const NETD = fileURLToPath(new URL('../../../cli/bin/netd.mjs', import.meta.url));
const orderId = 'of-the-origin';

describe('a network that forks another', () => {
  let origin: Network;
  let fork: Network;
  before(async () => {
    const agents = { rita: { actions: ['createWorkOrder', 'transfer'] as const }, walt: {} };
    origin = await startNetwork({ netd: NETD, agents });
    await origin.client.act(origin.actor('rita'), 'createWorkOrder', {
      orderId,
      title: 'Nobody takes this',
      jobType: 'general',
      funding: 20 * UNET_PER_NET,
      scopeHash: 'ab'.repeat(32),
      jury: 'none',
      acceptWithin: { heights: 5, milliseconds: 3_600_000 },
    });
    fork = await startNetwork({ netd: NETD, forkFrom: origin.url, agents: ['nina'] });
  });
  after(async () => {
    await fork.stop();
    await origin.stop();
  });

  test('has its agents, orders and balances under another chain id, and newcomers of its own', async () => {
    assert.notEqual(fork.chainId, origin.chainId);
    for (const name of ['rita', 'walt']) {
      assert.equal(await fork.balance(name), await origin.balance(name), name);
    }
    const { order } = await fork.client.read('/v1/work-orders/{orderId}', { orderId });
    assert.deepEqual([order.status, order.funding], ['OPEN', 20 * UNET_PER_NET]);
    assert.equal(await fork.balance('nina'), 100 * UNET_PER_NET);
    await assert.rejects(origin.balance('nina'), { code: 'ACCOUNT_NOT_FOUND' });
    const { fork: of } = await fork.client.read('/v1/network');
    assert.equal(of?.chainId, origin.chainId);
  });

  test('lets any agent of it act without its key, and changes nothing there', async () => {
    const [rita, walt, there] = [
      await fork.balance('rita'),
      await fork.balance('walt'),
      await origin.balance('walt'),
    ];
    const asRita = await fork.impersonate('rita');
    const pay = { to: 'walt', amount: 7 };
    const receipt = await fork.client.act(asRita, 'transfer', pay);
    assert.deepEqual(
      [await fork.balance('rita'), await fork.balance('walt')],
      [rita - 7, walt + 7],
    );
    assert.equal(await origin.balance('walt'), there);
    const { trace } = await fork.client.trace(receipt);
    assert.ok(trace.writes.some(({ key }) => key === 'account/walt'));
    // Its own key is the same on both, and what it signs names the chain that it is meant for.
    await fork.client.act(origin.actor('rita'), 'transfer', pay);
    assert.equal(await fork.balance('walt'), walt + 14);
    assert.equal(await origin.balance('walt'), there);
  });

  test('says what to do about a newcomer whose name the origin has', async () => {
    const holds = await fork.balance('rita');
    await assert.rejects(fork.join('rita'), (error) => {
      assert.ok(error instanceof RangeError, String(error));
      assert.match(
        error.message,
        /^rita is an agent of this network already, which begins with .*impersonate\('rita'\)/,
      );
      return true;
    });
    assert.throws(() => fork.actor('rita'), RangeError);
    assert.equal(await fork.balance('rita'), holds);
    await assert.rejects(
      origin.join('walt'),
      /^RangeError: walt is an agent of this network already: act/,
    );
    await assert.rejects(fork.join('w'), { code: 'AGENT_ID_INVALID' });
  });

  test('obeys: what waited on the origin happens, and did not', async () => {
    const snapshot = await fork.snapshot();
    const rita = await fork.balance('rita');
    await fork.advance(3_601, { blocks: 6 });
    // The order and what its verifiers would have got come back.
    assert.ok((await fork.balance('rita')) >= rita + 20 * UNET_PER_NET);
    await fork.revert(snapshot);
    assert.equal(await fork.balance('rita'), rita);
    const { order } = await origin.client.read('/v1/work-orders/{orderId}', { orderId });
    assert.equal(order.status, 'OPEN');
  });

  test('does not start from what is none, and says why', async () => {
    const answering = createServer((_asked, answer) => answer.end('Welcome to our shop'));
    answering.listen(0, '127.0.0.1');
    await new Promise((resolve) => answering.once('listening', resolve));
    const shop = `http://127.0.0.1:${(answering.address() as AddressInfo).port}`;
    const say = (network: object): object => ({ ...network, interfaceVersion: '99.0.0' });
    const lies = [{ path: '/v1/network', say }];
    const stranger = await startLiar({ url: origin.url, lies });
    const refusals: [
      options: Parameters<typeof startNetwork>[0],
      code: string | null,
      why: RegExp,
    ][] = [
      [
        { forkFrom: 'http://127.0.0.1:1' },
        'NODE_UNREACHABLE',
        /no node answers at http:\/\/127\.0\.0\.1:1/,
      ],
      [{ forkFrom: shop }, 'FORK_OTHER_CHAIN', /is no node of a network/],
      [
        { forkFrom: stranger.url },
        'FORK_OTHER_VERSION',
        /speaks version "99\.0\.0" of the interface/,
      ],
      [{ forkFrom: origin.url, at: 1_000_000 }, 'FORK_BEYOND_HEAD', /1000000/],
      [{ forkFrom: origin.url, genesisHash: 'ab'.repeat(32) }, 'FORK_OTHER_CHAIN', /genesis/],
    ];
    try {
      for (const [options, code, why] of refusals) {
        // A machine with much else to do is not what it says.
        const starting = startNetwork({ ...options, netd: NETD, timeout: 600_000 });
        await assert.rejects(starting, (error) => {
          assert.ok(error instanceof NetworkStartError, String(error));
          assert.equal(error.code, code);
          assert.match(error.message, why);
          return true;
        });
      }
    } finally {
      await stranger.stop();
      answering.close();
      answering.closeAllConnections();
    }
  });
});

describe('a fork with a house of its own', () => {
  test(
    'works open orders of the house and of an agent of its origin, also without the origin',
    inCampaign,
    async () => {
      await using origin = await startNetwork({ netd: NETD, house: true, agents: ['rita'] });
      const rita = await origin.agent('rita');
      const words = 'three, one, two';
      const hash = await rita.store(words);
      const byteLength = words.length;
      const { orderId: hired } = await rita.hire({
        title: 'Sort these words',
        instructions: 'Deliver the words of the input as a JSON list, sorted.',
        inputs: [{ name: 'words', hash, mediaType: 'text/plain', byteLength }],
        deliverable: { mediaType: 'application/json', maxBytes: 1_024 },
        acceptance: [{ kind: 'json-schema', schema: { type: 'array', minItems: 3 } }],
        funding: '10 NET',
      });
      await using fork = await startNetwork({
        netd: NETD,
        forkFrom: origin.url,
        house: true,
        agents: ['nina'],
      });
      await origin.stop();
      // Agents look into the stores that the network announces: those of the fork from then on.
      await fork.event('BeaconPublished', { agent: 'house-blobs-2' });
      const nina = await fork.agent('nina');
      const { orders } = await fork.client.read('/v1/work-orders', { status: 'OPEN' });
      assert.deepEqual(orders.map(({ jobType }) => jobType).toSorted(), [
        'chain-replay',
        'general',
        'json-schema',
        'research',
      ]);
      for (const { orderId: id, scopeHash } of orders) {
        const offer = await nina.offer(id);
        assert.equal(offer.order.scopeHash, scopeHash);
      }
      const offer = await nina.offer(hired);
      assert.equal(new TextDecoder().decode(await nina.input(offer, 'words')), words);
      await nina.accept(hired);
      await nina.deliver(hired, ['one', 'three', 'two']);
      await fork.event('WorkVerified', { order: hired });
    },
  );
});
