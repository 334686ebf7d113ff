import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import {
  CHECKPOINT_CHUNK_SIZE,
  decodePairs,
  hashValue,
  merkleRoot,
  sha256Hex,
  stateRoot,
  type StateCheckpoint,
} from '@netd/protocol';
import { ChainHarness } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { filesWithFailpoints, type ReachFailpoint } from '../failpoints.ts';
import { SimulatedCrash } from '@netd/testkit/simulated-process';
import { checkpointFiles, Checkpoints } from './checkpoints.ts';

interface Location {
  damages: { count: number };
  harness: ChainHarness;
  directory: string;
  open: (reach?: ReachFailpoint) => Promise<Checkpoints>;
}

async function openPlace(t: TestContext): Promise<Location> {
  const root = tempDir(t);
  const harness = await ChainHarness.open({ path: join(root, 'chain') });
  t.after(() => harness.close());
  const directory = join(root, 'checkpoints');
  const damages = { count: 0 };
  return {
    damages,
    harness,
    directory,
    open: (reach = () => {}) =>
      Checkpoints.open({
        directory,
        store: harness.store,
        clock: harness.clock,
        files: filesWithFailpoints(checkpointFiles, reach),
        onDamage: () => damages.count++,
      }),
  };
}

/** A state of more than two chunks, written directly to save time. */
async function growState({ harness }: Location, pairs: number, bytes: number): Promise<void> {
  await harness.commit(
    ...Array.from({ length: pairs }, (_, i) =>
      harness.registration(`agent-${i}`, { description: 'd'.repeat(bytes) }),
    ),
  );
}

async function bytesOf(checkpoints: Checkpoints, checkpoint: StateCheckpoint): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let index = 0; index < checkpoint.chunkCount; index++) {
    const chunk = await checkpoints.chunk(checkpoint, index);
    const bytes = Buffer.from(chunk!.data, 'base64');
    assert.equal(sha256Hex(bytes), checkpoint.chunkHashes[index]);
    assert.equal(chunk!.hash, checkpoint.chunkHashes[index]);
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

test('unknown checkpoints and chunks are not there', async (t) => {
  const place = await openPlace(t);
  const checkpoints = await place.open();
  assert.equal(checkpoints.find('ab'.repeat(32)), null);
  const checkpoint = (await checkpoints.latest())!;
  assert.equal(await checkpoints.chunk(checkpoint, checkpoint.chunkCount), null);
  assert.equal(await checkpoints.chunk(checkpoint, -1), null);
});

describe('what an earlier run left unfinished', () => {
  test('is removed at the start', async (t) => {
    const place = await openPlace(t);
    mkdirSync(join(place.directory, 'draft-7-abcdef01'), { recursive: true });
    writeFileSync(join(place.directory, 'draft-7-abcdef01', 'chunk-0'), 'half');
    mkdirSync(join(place.directory, 'ab'.repeat(32)));
    await place.open();
    assert.deepEqual(readdirSync(place.directory), []);
  });

  for (const name of ['checkpoint.chunk', 'checkpoint.finished'] as const) {
    test(`at ${name} harms neither the others nor the next one`, async (t) => {
      const place = await openPlace(t);
      const good = (await (await place.open()).latest())!;
      await place.harness.commit(place.harness.registration('alice'));
      const dying = await place.open((reached) => {
        if (reached === name) throw new SimulatedCrash();
      });
      await assert.rejects(dying.latest(), SimulatedCrash);
      assert.equal(dying.find(good.checkpointHash)?.height, good.height);
      const again = await place.open();
      assert.ok(again.find(good.checkpointHash));
      const next = (await again.latest())!;
      assert.equal(next.height, 1);
      const pairs = [...decodePairs(await bytesOf(again, next))];
      assert.ok(pairs.length > 0);
      assert.ok(!readdirSync(place.directory).some((entry) => entry.startsWith('draft')));
    });
  }

  test('on a full disk is not left lying about', async (t) => {
    const place = await openPlace(t);
    let full = true;
    const checkpoints = await place.open(() => {
      if (full) throw new Error('ENOSPC');
    });
    await assert.rejects(checkpoints.latest(), /ENOSPC/);
    assert.deepEqual(readdirSync(place.directory), []);
    full = false;
    assert.equal((await checkpoints.latest())?.height, 0);
  });
});

describe('a checkpoint', () => {
  test('of a small state is made at once, and not again while the state stands still', async (t) => {
    const place = await openPlace(t);
    const checkpoints = await place.open();
    const first = (await checkpoints.latest())!;
    assert.equal(first.height, 0);
    await place.harness.advance(10_000);
    assert.ok(place.harness.chain.height > 0);
    assert.deepEqual(await checkpoints.latest(), first);
    await place.harness.commit(place.harness.registration('alice'));
    const [second, same] = await Promise.all([checkpoints.latest(), checkpoints.latest()]);
    assert.equal(second?.height, place.harness.chain.height);
    assert.deepEqual(same, second);
  });

  test('holds the whole state, in chunks of exactly the chunk size but the last', async (t) => {
    const place = await openPlace(t);
    await growState(place, 400, 280);
    const checkpoints = await place.open();
    const checkpoint = (await checkpoints.latest())!;
    assert.ok(checkpoint.chunkCount >= 2, `${checkpoint.byteLength} bytes`);
    const { checkpointHash, ...body } = checkpoint;
    assert.equal(checkpointHash, hashValue(body));
    assert.equal(checkpoint.chunksRoot, merkleRoot(checkpoint.chunkHashes));
    const snapshot = place.harness.store.snapshot();
    const { header, certificate } = snapshot.block;
    assert.equal(checkpoint.stateRoot, header.stateRoot);
    assert.equal(checkpoint.blockHash, certificate.blockHash);
    assert.equal(checkpoint.certificateHash, certificate.certificateHash);
    for (let index = 0; index < checkpoint.chunkCount; index++) {
      const { data } = (await checkpoints.chunk(checkpoint, index))!;
      const { length } = Buffer.from(data, 'base64');
      if (index < checkpoint.chunkCount - 1) assert.equal(length, CHECKPOINT_CHUNK_SIZE);
      else assert.ok(length > 0 && length <= CHECKPOINT_CHUNK_SIZE);
    }
    const bytes = await bytesOf(checkpoints, checkpoint);
    assert.equal(bytes.length, checkpoint.byteLength);
    const pairs = [...decodePairs(bytes)].map(
      ({ key, value }) => [Buffer.from(key).toString(), value] as const,
    );
    assert.equal(stateRoot(pairs), checkpoint.stateRoot);
    assert.deepEqual(
      pairs.map(([key, value]) => ({ key, text: Buffer.from(value).toString() })),
      [...snapshot.pairs()],
    );
    snapshot.close();
  });

  test('shows one moment, whatever is committed while it is being written', async (t) => {
    const place = await openPlace(t);
    await growState(place, 200, 10);
    const checkpoints = await place.open();
    const height = place.harness.chain.height;
    const making = checkpoints.latest();
    await place.harness.commit(place.harness.registration('alice'));
    const checkpoint = (await making)!;
    assert.equal(checkpoint.height, height);
    const pairs = [...decodePairs(await bytesOf(checkpoints, checkpoint))].map(
      ({ key, value }) => [Buffer.from(key).toString(), value] as const,
    );
    assert.equal(stateRoot(pairs), checkpoint.stateRoot);
  });

  test('stays readable while it is among the last four, also after a restart', async (t) => {
    const place = await openPlace(t);
    const checkpoints = await place.open();
    const made: StateCheckpoint[] = [];
    for (let i = 0; i < 6; i++) {
      await place.harness.commit(place.harness.registration(`agent-${i}`));
      made.push((await checkpoints.latest())!);
    }
    await checkpoints.settle();
    for (const set of [checkpoints, await place.open()]) {
      for (const [i, checkpoint] of made.entries()) {
        const kept = i >= 2;
        assert.deepEqual(set.find(checkpoint.checkpointHash), kept ? checkpoint : null);
        assert.equal((await set.chunk(checkpoint, 0)) !== null, kept);
        assert.equal(existsSync(join(place.directory, checkpoint.checkpointHash)), kept);
      }
      assert.deepEqual(await set.latest(), made.at(-1));
    }
  });
});

describe('a checkpoint that has been damaged on disk', () => {
  const flip = (path: string): void => {
    const bytes = readFileSync(path);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };

  for (const [name, damage] of [
    ['by a flipped bit', flip],
    ['by being cut', (path: string) => truncateSync(path, 100)],
    ['by a chunk that is gone', (path: string) => rmSync(path)],
  ] as const) {
    test(`${name} is not served, told, and made anew`, async (t) => {
      const place = await openPlace(t);
      const checkpoints = await place.open();
      const first = (await checkpoints.latest())!;
      assert.ok(await checkpoints.chunk(first, 0));
      damage(join(place.directory, first.checkpointHash, 'chunk-0'));
      const both = await Promise.all([checkpoints.chunk(first, 0), checkpoints.chunk(first, 0)]);
      assert.deepEqual(both, [null, null]);
      assert.equal(place.damages.count, 1);
      const again = (await checkpoints.latest())!;
      assert.deepEqual(again, first, 'the same state has the same checkpoint');
      await bytesOf(checkpoints, again);
      assert.equal(checkpoints.fault, null);
      await checkpoints.settle();
    });
  }

  test('is reported by a process that may open no more files', async (t) => {
    const place = await openPlace(t);
    await (await place.open()).latest();
    const readChunk = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
    const { store, clock } = place.harness;
    const checkpoints = await Checkpoints.open({
      directory: place.directory,
      store,
      clock,
      files: { ...checkpointFiles, readChunk },
      onDamage: () => place.damages.count++,
    });
    const first = (await checkpoints.latest())!;
    await assert.rejects(checkpoints.chunk(first, 0), { code: 'EMFILE' });
    assert.equal(place.damages.count, 0);
    assert.deepEqual(checkpoints.find(first.checkpointHash), first);
  });

  test('is reported until there is another one', async (t) => {
    const place = await openPlace(t);
    let full = false;
    const checkpoints = await place.open(() => {
      if (full) throw new Error('ENOSPC');
    });
    const first = (await checkpoints.latest())!;
    flip(join(place.directory, first.checkpointHash, 'chunk-0'));
    full = true;
    assert.equal(await checkpoints.chunk(first, 0), null);
    await checkpoints.settle();
    assert.match(String(checkpoints.fault), /chunk 0 of the one of height 0 is not what was wri/);
    full = false;
    assert.ok(await checkpoints.latest());
    assert.equal(checkpoints.fault, null);
  });

  test('in its manifest is removed at the start', async (t) => {
    const place = await openPlace(t);
    const { checkpointHash } = (await (await place.open()).latest())!;
    const manifest = join(place.directory, checkpointHash, 'manifest.json');
    const text = readFileSync(manifest, 'utf8');
    for (const bad of [text.replace('"height":0', '"height":7'), text.slice(1), 'null', '']) {
      mkdirSync(join(place.directory, checkpointHash), { recursive: true });
      writeFileSync(manifest, bad);
      const checkpoints = await place.open();
      assert.match(String(checkpoints.fault), /its manifest is not that of/);
      assert.deepEqual(readdirSync(place.directory), []);
    }
    assert.equal(place.damages.count, 4);
  });
});

test('leaves entries that it did not write, in its folder and in a checkpoint', async (t) => {
  const { directory, open } = await openPlace(t);
  const [unfinished, begun] = [
    join(directory, 'a'.repeat(64)),
    join(directory, 'draft-7-0a0a0a0a'),
  ];
  for (const folder of [join(directory, 'epoch-3'), unfinished, begun]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(directory, 'model.pt'), 'weights');
  writeFileSync(join(directory, 'epoch-3', 'manifest.json'), '{}');
  writeFileSync(join(unfinished, 'chunk-0'), 'half');
  writeFileSync(join(unfinished, 'notes.txt'), 'notes');
  writeFileSync(join(begun, 'chunk-0'), 'half');
  const checkpoints = await open();
  assert.equal(await checkpoints.at(0).then((found) => found === null), false);
  assert.equal(existsSync(join(directory, 'model.pt')), true);
  assert.deepEqual(readdirSync(join(directory, 'epoch-3')), ['manifest.json']);
  assert.deepEqual(readdirSync(unfinished), ['notes.txt']);
  assert.equal(existsSync(begun), false);
});
