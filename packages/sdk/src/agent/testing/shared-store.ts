/** What every store below a leased home must do, for the tests of each of them. */
import assert from 'node:assert/strict';
import { utf8Bytes } from '@netd/protocol';
import { leasedHome, type SharedStore } from '../leased-home.ts';

const some = (text: string): Uint8Array => utf8Bytes(text);

/** Fails unless the store keeps the promises of SharedStore. The store is empty before. */
export async function requireShared(store: SharedStore): Promise<void> {
  const guard = { key: 'guard', text: '1' };
  assert.equal(await store.get('guard'), null);
  assert.equal(await store.writeIf(guard, 'key', 'no guard'), false);
  assert.equal(await store.add('guard', '1'), true);
  assert.equal(await store.add('guard', '2'), false);
  assert.equal(await store.writeIf({ key: 'guard', text: '2' }, 'key', 'stale'), false);
  assert.equal(await store.get('key'), null);
  assert.equal(await store.writeIf(guard, 'key', 'ä"%_'), true);
  assert.equal(await store.writeIf(guard, 'key', "'ö"), true);
  assert.equal(await store.get('key'), "'ö");
  assert.deepEqual((await store.keys()).toSorted(), ['guard', 'key']);
  assert.equal(await store.writeIf({ key: 'guard', text: '2' }, 'key', null), false);
  assert.equal(await store.writeIf(guard, 'key', null), true);
  assert.equal(await store.writeIf(guard, 'key', null), true);
  assert.deepEqual(await store.keys(), ['guard']);

  // Of many that compare with the same text, one writes.
  const next = Array.from({ length: 12 }, (_, index) => `taken by ${index}`);
  const won = await Promise.all(next.map((text) => store.writeIf(guard, 'guard', text)));
  assert.equal(won.filter(Boolean).length, 1);
  assert.equal(await store.get('guard'), next[won.indexOf(true)]);
  assert.equal(await store.writeIf(guard, 'key', 'stale'), false);
  const added = await Promise.all(next.map((text) => store.add('new', text)));
  assert.equal(added.filter(Boolean).length, 1);
}

/** Fails unless a process whose lease has ended is fenced off for every write. The store is unused before. */
export async function requireFence(store: SharedStore): Promise<void> {
  const home = leasedHome(store, { lease: 60_000 });
  const first = await leasedHome(store, { lease: 0 }).openState();
  await first.put('a.json', some('from the first'));
  const second = await home.openState();
  assert.deepEqual(await second.get('a.json'), some('from the first'));
  const running = { code: 'AGENT_RUNNING', message: /leased until \d.*Z\)/ };
  await assert.rejects(home.openState(), running);

  const fenced = { code: 'HOME_FENCED' };
  await assert.rejects(first.put('a.json', some('stale')), fenced);
  await assert.rejects(first.put('new.json', some('stale')), fenced);
  await assert.rejects(first.delete('a.json'), fenced);
  await assert.rejects(first.lease?.renew() ?? Promise.resolve(), fenced);
  await first.close();
  assert.deepEqual(await second.names(), ['a.json']);
  await assert.rejects(home.openState(), running);
  await second.put('a.json', some('from the second'));
  await second.close();

  // A closed lease is free at once, and of several processes one gets it.
  const opened = await Promise.allSettled(Array.from({ length: 8 }, () => home.openState()));
  const [third, ...others] = opened.flatMap((one) =>
    one.status === 'fulfilled' ? [one.value] : [],
  );
  assert.ok(third);
  assert.equal(others.length, 0);
  assert.deepEqual(await third.get('a.json'), some('from the second'));
  await assert.rejects(second.put('a.json', some('stale')), fenced);
  await third.close();
}
