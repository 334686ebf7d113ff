/**
 * One of four validators has a full disk, twice: a file system of its own, filled to the last byte. Only root
 * can mount it (decision 119).
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyDatabase } from '@netd/node/verify';
import { AgentKey, NetError, type Receipt } from '@netd/sdk';
import { fillDisk, makeRoom, mountSmallDisk } from '@netd/testkit/small-disk';
import {
  insist,
  reached,
  StartedNodes,
  type NodePlace,
  type StartedNode,
} from './testing/started-nodes.ts';

/** netd writes no block with less than 64 MB free. CometBFT continues to the last byte. */
const DISK = '192m';
const FULL = 1;
/** Payments while the disk is full. */
const PAYMENTS = 12;

test('a disk that is full under one of four', async (t) => {
  const nodes = await StartedNodes.make(t, 4);
  if (!nodes) return;
  const mounted = mountSmallDisk(DISK);
  if (!mounted) return t.skip('only root can mount a small disk');
  t.after(mounted.remove);
  const { path: disk } = mounted;
  const places = [0, 1, 2, 3].map((index) => nodes.placeOf(index));
  const own = places[FULL] as NodePlace;
  cpSync(own.dataDir, join(disk, 'data'), { recursive: true });
  const place = { ...own, dataDir: join(disk, 'data') };
  places[FULL] = place;
  const all = await Promise.all(places.map((each) => nodes.start(each)));
  const at = (index: number): StartedNode => all[index] as StartedNode;
  const operator = await nodes.operator();
  const answered = new Map<number, string>();
  const pay = async (index: number): Promise<Receipt> => {
    const receipt = await insist(() =>
      at(index).client.act(operator, 'transfer', { to: 'ada', amount: 1 }),
    );
    assert.ok(receipt);
    answered.set(receipt.height, receipt.blockHash);
    return receipt;
  };
  const agree = async (): Promise<number> => {
    const { height } = await pay(0);
    const hashes = await Promise.all(
      all.map(async (node) => {
        await reached(node, height);
        return (await node.client.read('/v1/blocks/{height}', { height })).blockHash;
      }),
    );
    assert.equal(new Set(hashes).size, 1, hashes.join());
    return height;
  };
  const key = await AgentKey.generate();
  await insist(async () => at(0).client.register({ actorId: 'ada', key }));
  await agree();

  for (const round of [1, 2]) {
    await t.test(`for the ${round}. time`, async (sub) => {
      const { command, client } = at(FULL);
      const said = command.stderr.length;
      fillDisk(disk);
      for (let paid = 0; paid < PAYMENTS; paid++) {
        await pay(0);
        fillDisk(disk);
      }
      const sentences = command.stderr.slice(said);
      assert.equal(command.child.exitCode, null, sentences);
      assert.match(sentences, /ENOSPC|no space left/i);
      // A write sent to this node is not reported as committed.
      const refused = await client
        .act(operator, 'transfer', { to: 'ada', amount: 2 })
        .catch((error: unknown) => error);
      assert.ok(refused instanceof NetError, String(refused));
      sub.diagnostic(
        `${refused.code}: ${sentences
          .split('\n')
          .filter((line) => /ENOSPC|no space/i.test(line))
          .join(' | ')}`,
      );
      if (round === 2) {
        // The node refuses to start with a sentence, and loses nothing.
        await nodes.stop(at(FULL));
        fillDisk(disk);
        const { code, stdout } = await nodes.begin(place).ended;
        assert.equal(code, 1);
        assert.match(stdout, /disk .*full.* make room/s);
        sub.diagnostic(stdout.trim().slice(0, 400));
      }
      makeRoom(disk);
      if (round === 2) all[FULL] = await nodes.start(place);
      const began = performance.now();
      const height = await agree();
      await pay(FULL);
      sub.diagnostic(
        `goes on ${Math.round(performance.now() - began)} ms after there was room; agree at ${height}`,
      );
    });
  }

  // Its vote counts again. With another node down, every vote is needed.
  await nodes.stop(at(3));
  await pay(FULL);
  all[3] = await nodes.start(places[3] as NodePlace);
  const last = await agree();
  for (const { client } of all) {
    for (const [height, expected] of answered) {
      const { blockHash } = await client.read('/v1/blocks/{height}', { height });
      assert.equal(blockHash, expected);
    }
    const { events } = await client.read('/v1/events', { type: 'ValidatorDoubleSigned' });
    assert.deepEqual(events, []);
  }
  const { genesisHash } = await at(0).client.network();
  for (const node of all) assert.equal((await nodes.stop(node)).code, 0);
  for (const { dataDir } of places) {
    const report = await verifyDatabase(join(dataDir, 'chain'), { genesisHash });
    assert.equal(report.fault, null);
    assert.ok(report.height >= last);
  }
});
