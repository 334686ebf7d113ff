/** Trust reports of real nodes side by side, and of origins that lie about them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startFork } from '@netd/testkit/forked-chain';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { serve, type RunningNode } from '@netd/node';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { hashValue } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { AgentKey } from './agent-key.ts';
import { NetClient } from './client.ts';
import { compareTrustReports, type TrustComparison, type TrustReport } from './trust-comparison.ts';

const directory = mkdtempSync(join(tmpdir(), 'netd-sdk-trust-'));
/** No process listens at this address. */
const NOWHERE = 'http://127.0.0.1:1';
const NEVER = 100_000_000;
const LIE = 'ab'.repeat(32);
let one: RunningNode;
let other: RunningNode;
let proxy: TamperingProxy;
let early: TrustReport;

const start = (name: string) =>
  serve({
    host: '127.0.0.1',
    port: 0,
    dataDir: join(directory, name),
    blockTime: 1,
    idleBlockTime: NEVER,
  });

before(async () => {
  [one, other] = await Promise.all([start('one'), start('other')]);
  proxy = await TamperingProxy.before(one.url);
  const client = new NetClient({ url: one.url });
  early = await client.agentTrust();
  // More blocks than a report names.
  for (let i = 0; i < 18; i++) {
    await client.register({ actorId: `agent-${i}`, key: await AgentKey.generate() });
  }
});
after(async () => {
  proxy.close();
  await Promise.all([one.stop(), other.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

/** Compares the node with an origin that shows this for its report. */
function beside(edit: (report: TrustReport) => unknown) {
  proxy.tamper = (path, document) =>
    path === '/v1/agent-trust' ? edit(document as unknown as TrustReport) : document;
  return compareTrustReports([one.url, proxy.url]);
}

/** The report with changes that its hash fits. */
function retold(report: TrustReport, changes: Partial<TrustReport>): TrustReport {
  const { reportHash: _, ...rest } = { ...report, ...changes };
  return { ...rest, reportHash: hashValue(rest) };
}

describe('trust reports', () => {
  test('agree if they are the same', async () => {
    const { verdict, origins, conflicts, uncompared } = await beside((report) => report);
    assert.deepEqual([verdict, conflicts, uncompared], ['agree', [], []]);
    assert.deepEqual(
      origins.map(({ origin, status }) => [origin, status]),
      [
        [one.url, 'answered'],
        [proxy.url, 'answered'],
      ],
    );
  });

  test('agree at heights that no longer stand in each other’s reports', async () => {
    const { height } = await new NetClient({ url: one.url }).agentTrust();
    assert.ok(height - early.height > 15);
    const { verdict, conflicts } = await beside(() => early);
    assert.deepEqual([verdict, conflicts], ['agree', []]);
  });

  test('of different networks are a conflict', async () => {
    const client = new NetClient({ url: one.url });
    const { verdict, conflicts } = await client.compareTrustReports([other.url]);
    assert.equal(verdict, 'conflict');
    assert.deepEqual(
      conflicts.map(({ kind }) => kind),
      ['NETWORK'],
    );
    const { genesisHash } = await client.network();
    const mine = conflicts[0]?.evidence.find(({ origin }) => origin === one.url);
    assert.ok(mine?.says.includes(genesisHash));
  });

  test('that do not hash to reportHash are a conflict of their own', async () => {
    const { verdict, conflicts } = await beside((report) => ({ ...report, height: 0 }));
    assert.equal(verdict, 'conflict');
    assert.deepEqual([conflicts[0]?.kind, conflicts[0]?.evidence[0]?.origin], ['SELF', proxy.url]);
  });

  test('whose blocks do not begin with their own, or that have none, are too', async () => {
    for (const recentBlocks of [[], early.comparison.recentBlocks]) {
      const { conflicts } = await beside((report) =>
        retold(report, { comparison: { ...report.comparison, recentBlocks } }),
      );
      assert.equal(conflicts[0]?.kind, 'SELF');
    }
    const { conflicts } = await beside((report) => retold(report, { comparison: 1 as never }));
    assert.equal(conflicts[0]?.kind, 'SELF');
    // A height that only looks like one.
    const words = await beside((report) => {
      const height = String(report.height) as never;
      return retold(report, { height, snapshot: { ...report.snapshot, height } });
    });
    assert.equal(words.conflicts[0]?.kind, 'SELF');
  });

  test('with two blocks at one height are a conflict, and show both', async () => {
    const forked = (report: TrustReport): TrustReport => {
      const [newest, ...older] = report.comparison.recentBlocks;
      const recentBlocks = [{ ...newest!, blockHash: LIE }, ...older];
      return retold(report, {
        snapshot: { ...report.snapshot, blockHash: LIE },
        comparison: { ...report.comparison, recentBlocks },
      });
    };
    // At the same height, within the blocks a report names, and beyond them.
    for (const height of [null, 5, early.height]) {
      const { verdict, conflicts } = await beside((report) => {
        if (height === null) return forked(report);
        if (height === early.height) return forked(early);
        const recentBlocks = report.comparison.recentBlocks.slice(height);
        const [newest] = recentBlocks;
        return forked(
          retold(report, {
            height: newest!.height,
            snapshot: { ...report.snapshot, ...newest! },
            comparison: { ...report.comparison, recentBlocks },
          }),
        );
      });
      assert.equal(verdict, 'conflict');
      assert.equal(conflicts[0]?.kind, 'HISTORY');
      const says = conflicts[0]?.evidence.map((claim) => claim.says).join(' ') ?? '';
      assert.match(says, new RegExp(LIE));
      assert.equal(new Set(conflicts[0]?.evidence.map(({ origin }) => origin)).size, 2);
    }
  });

  test('that differ in anything else at one block are a conflict', async () => {
    const { verdict, conflicts } = await beside((report) =>
      retold(report, { summary: { ...report.summary, integrity: false } }),
    );
    assert.deepEqual([verdict, conflicts[0]?.kind], ['conflict', 'REPORT']);
  });

  test('of a node that has halted over a fork are a conflict, and name both blocks', async (t) => {
    const { writer, twin, height } = await startFork(t);
    const dataDir = join(directory, 'follower');
    const follower = await startFollower(t, [writer.url], { dataDir });
    const again = async (): Promise<TrustComparison> =>
      compareTrustReports([writer.url, follower.url]);
    await hasReached(follower, writer.node.chain.height);
    assert.equal((await again()).verdict, 'agree');
    await follower.stop();
    const halted = await startFollower(t, [writer.url, twin.url], { dataDir });
    await until(() => halted.node.status.halted);
    const { verdict, conflicts } = await compareTrustReports([writer.url, halted.url]);
    assert.equal(verdict, 'conflict');
    assert.deepEqual(
      conflicts.map((conflict) => [conflict.kind, conflict.height]),
      [['FORK', height]],
    );
    const [{ says } = { says: '' }] = conflicts[0]?.evidence ?? [];
    const hashes = await Promise.all(
      [writer, twin].map(async ({ url }) => {
        const block = await new NetClient({ url }).read('/v1/blocks/{height}', { height });
        return block.certificate.blockHash;
      }),
    );
    for (const hash of hashes) assert.match(says, new RegExp(hash));
    const { fork } = await new NetClient({ url: halted.url }).read('/v1/fork-evidence');
    assert.equal(fork?.theirs.certificate.blockHash, hashes[1]);
  });

  test('of origins that are not there leave it incomplete', async () => {
    const { verdict, origins } = await compareTrustReports([one.url, NOWHERE]);
    assert.equal(verdict, 'incomplete');
    assert.deepEqual(origins[1], { ...origins[1], origin: NOWHERE, status: 'unreachable' });
    for (const answer of ['<html>', {}, [], null]) {
      const found = await beside(() => answer);
      assert.equal(found.verdict, 'incomplete');
      assert.equal(found.origins[1]?.status, 'unreachable');
    }
  });

  test('that cannot be laid side by side leave it incomplete', async () => {
    proxy.tamper = (path, document) => (path.startsWith('/v1/blocks/') ? {} : document);
    const old = await TamperingProxy.before(one.url);
    try {
      old.tamper = () => early;
      const { verdict, uncompared } = await compareTrustReports([proxy.url, old.url]);
      assert.equal(verdict, 'incomplete');
      assert.deepEqual(uncompared[0]?.origins, [old.url, proxy.url]);
      assert.equal(uncompared[0]?.height, early.height);
    } finally {
      old.close();
    }
  });

  test('of one origin named twice prove nothing', async () => {
    const { verdict, origins } = await compareTrustReports([one.url, `${one.url}/`]);
    assert.deepEqual([verdict, origins.length], ['incomplete', 1]);
    assert.equal((await compareTrustReports([])).verdict, 'incomplete');
  });

  test('of 32 origins are compared, and of 33 not', async () => {
    const many = Array.from({ length: 33 }, (_, i) => `${NOWHERE}/${i}`);
    assert.equal((await compareTrustReports(many.slice(1))).origins.length, 32);
    await assert.rejects(compareTrustReports(many), RangeError);
  });
});
