/** A block can be read before the chain reports it. A reader that saw it must not get an older one later. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HttpNode } from '@netd/testkit/http-node';
import { EventStream } from '@netd/testkit/event-stream';

let node: HttpNode;
before(async () => {
  node = await HttpNode.start({ limits: { lightRead: 1_500 } });
  await Promise.all(Array.from({ length: 10 }, (_, i) => node.join(`agent-${i}`)));
});
after(() => node.stop());

/**
 * The first is rendered in a reader thread, the others in the main thread. All are cached until the next
 * block.
 */
const LARGE = '/v1/agents?limit=200';
const KEPT = ['/v1/tokenomics', '/v1/accounts/agent-1', LARGE];

async function heightOf(path: string): Promise<unknown> {
  return (await node.document(path))['height'];
}

const nameOf = (...words: string[]): string => words.join('').replaceAll(/\W/g, '-');

/** Runs the work while a block is on disk that the chain has not reported. */
async function betweenDiskAndHead(joins: string, work: (height: number) => Promise<void>) {
  const { chain, store } = node.running.node;
  const { promise: written, resolve: tell } = Promise.withResolvers<() => void>();
  const moveTo = chain.moveTo.bind(chain);
  chain.moveTo = (...block) => tell(() => moveTo(...block));
  const joined = node.join(joins);
  const goOn = await written;
  chain.moveTo = moveTo;
  assert.equal(store.headHeight(), node.height + 1);
  try {
    await work(node.height + 1);
  } finally {
    goOn();
  }
  assert.equal((await joined).height, node.height);
}

for (const first of ['/v1/state/proof?key=agent/agent-2', '/v1/network', LARGE]) {
  test(`what has been seen in ${first} is seen everywhere`, async () => {
    // Make a block, so that nothing of the previous test is cached.
    await node.join(nameOf('before', first));
    for (const path of KEPT) if (path !== first) assert.equal(await heightOf(path), node.height);
    await betweenDiskAndHead(nameOf('after', first), async (height) => {
      assert.equal(await heightOf(first), height);
      for (const path of [...KEPT, '/health', '/v1/network']) {
        assert.equal(await heightOf(path), height, path);
      }
      const { text } = await node.get('/');
      assert.match(text, new RegExp(`<dd>${height}</dd>`));
    });
  });
}

test('a stream from now on begins after what has been seen', async () => {
  let stream: EventStream | undefined;
  await betweenDiskAndHead('seen', async (height) => {
    assert.equal(await heightOf('/v1/network'), height);
    stream = await EventStream.open(node.url, '/v1/events');
  });
  await node.join('unseen');
  await stream?.until(({ events }) => events.length > 0);
  assert.equal(stream?.events[0]?.data['height'], node.height);
  await stream?.close();
});
