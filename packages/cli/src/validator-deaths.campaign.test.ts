/**
 * Validators die as machines do: netd at each moment around a decision, all at once, a lost disk, removed
 * sockets, and a rolling upgrade. Four nodes of `netd start` with a CometBFT each (decision 119).
 */
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyDatabase } from '@netd/node/verify';
import { VERSION } from '@netd/protocol/version';
import { installGlobally } from './testing/install.ts';
import { FourValidators } from './testing/four-validators.ts';
import { reached } from './testing/started-nodes.ts';

/** Failpoints in the order in which a block passes them. */
const MOMENTS = [
  'decision.executed',
  'decision.committing',
  'decision.committed',
  'block.writing',
  'block.durable',
  'block.answered',
];
/** Blocks to wait, so that the node is fully started. */
const AHEAD = 3;
const AT_ONCE = 12;
/** More blocks than a state snapshot includes. */
const PAYMENTS = 20;

/** The chain in a data directory. Keys, names and the record of the last signatures stay. */
const CHAIN = ['chain', 'checkpoints'];
const ENGINE = ['blockstore.db', 'state.db', 'evidence.db', 'cs.wal'].map(
  (name) => `cometbft/data/${name}`,
);

test('whatever dies comes back to the same chain', async (t) => {
  const it = await FourValidators.begin(t);
  if (!it) return;
  const took = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const before = performance.now();
    const seen = (await work()) as string;
    const seconds = ((performance.now() - before) / 1_000).toFixed(1);
    t.diagnostic(`${what}: ${seconds} s, ${seen}`);
  };

  for (const [index, moment] of MOMENTS.entries()) {
    await t.test(`netd of one dies at ${moment}`, () =>
      took(moment, async () => {
        const victim = 1 + (index % 3);
        await it.down(victim);
        const dies = (await it.agree(it.all.filter((_, each) => each !== victim))) + AHEAD;
        const { command } = await it.up(victim, [], {
          env: { NET_FAILPOINT: `${moment}@${dies}` },
        });
        let last = 0;
        while (command.child.exitCode === null && command.child.signalCode === null) {
          last = (await it.pay(0)).height;
        }
        assert.equal(command.child.signalCode, 'SIGKILL');
        assert.ok(last >= dies - 1);
        // The others continue with three votes.
        const { height } = await it.pay(0);
        const { certificate } = await it.at(0).client.read('/v1/blocks/{height}', { height });
        assert.equal(certificate.votes.length, 3);
        await it.up(victim);
        return `died at block ${dies}, agree at ${await it.agree()}`;
      }),
    );
  }

  for (const round of [1, 2]) {
    await t.test(`all at once, netd and CometBFT, for the ${round}. time`, () =>
      took(`all at once, ${round}`, async () => {
        const before = await it.agree();
        // Some of these payments are in flight.
        const paying = Promise.allSettled(
          Array.from({ length: AT_ONCE }, (_, each) => it.payOnce(each % 4)),
        );
        await reached(it.at(0), before + round);
        const pids = it.all.flatMap((node) => [node.command.child.pid, it.nodes.engineOf(node)]);
        for (const pid of pids) if (pid) process.kill(pid, 'SIGKILL');
        const answers = await paying;
        await Promise.all(it.all.map(({ command }) => command.ended));
        await it.upAll();
        await it.pay(round);
        const height = await it.agree();
        for (const index of [0, 1, 2, 3]) await it.holdsWhatWasAnswered(index);
        const got = answers.filter(({ status }) => status === 'fulfilled').length;
        return `${pids.length} processes at block ${before + round}, ${got} of ${AT_ONCE} answered, agree at ${height}`;
      }),
    );
  }

  await t.test('one of two sockets is removed, and the folder of both', () =>
    took('sockets', async () => {
      const { command } = it.at(1);
      const restarts = (): number => command.stderr.split('it is started again').length - 1;
      const gone = async (path: string, count: number): Promise<void> => {
        const engine = it.nodes.engineOf(it.at(1));
        rmSync(path, { recursive: true });
        while (restarts() < count) await it.pay(0);
        assert.notEqual(it.nodes.engineOf(it.at(1)), engine);
        await it.pay(1);
        await it.agree();
      };
      const sockets = it.socketsOf(1);
      await gone(join(sockets, 'rpc'), 1);
      await gone(join(sockets, 'abci'), 2);
      await gone(sockets, 3);
      assert.equal(command.stderr.split(' was removed: ').length - 1, 3);
      // CometBFT ends without netd, and netd restarts a missing CometBFT.
      const engine = it.nodes.engineOf(it.at(1));
      assert.ok(engine);
      process.kill(engine, 'SIGKILL');
      while (restarts() < 4) await it.pay(0);
      await it.pay(1);
      return `agree at ${await it.agree()}`;
    }),
  );

  const lose = (index: number, names: readonly string[]): void => {
    const { dataDir } = it.place(index);
    for (const name of names) rmSync(join(dataDir, name), { recursive: true, force: true });
    assert.ok(existsSync(join(dataDir, 'cometbft/data/priv_validator_state.json')));
  };

  await t.test('one has lost its chain and that of CometBFT', () =>
    took('from nothing', async () => {
      for (let payment = 0; payment < PAYMENTS; payment++) await it.pay(0);
      await it.down(3);
      lose(3, [...CHAIN, ...ENGINE]);
      const byState = performance.now();
      await it.up(3, ['--state-sync', `${it.at(0).url},${it.at(1).url}`]);
      await it.agree();
      const state = performance.now() - byState;
      await it.down(3);
      lose(3, [...CHAIN, ...ENGINE]);
      const byBlocks = performance.now();
      await it.up(3);
      const height = await it.agree();
      const blocks = performance.now() - byBlocks;
      await it.holdsWhatWasAnswered(3);
      // It votes again. With another validator down, every vote is needed.
      await it.down(2);
      await it.pay(3);
      await it.up(2);
      return `${height} blocks: by blocks ${Math.round(blocks)} ms, by a state ${Math.round(state)} ms`;
    }),
  );

  await t.test('a new version, on one after the other', () =>
    took('upgrade', async () => {
      const url = `${it.at(0).url}/downloads/netd-${VERSION}.tgz`;
      const prefix = join(it.nodes.home, 'installed');
      const netd = await installGlobally(url, 'netd', { prefix, node: process.execPath });
      if (!netd) return 'not tried: the registry cannot be reached';
      let paid = 0;
      for (const index of [0, 1, 2, 3]) {
        paid += await it.replace(index, { program: [process.execPath, netd.launcher] });
        await it.agree();
      }
      return `${paid} payments while one was down, agree at ${await it.agree()}`;
    }),
  );

  const last = await it.agree();
  const { genesisHash } = await it.at(0).client.network();
  for (const index of [0, 1, 2, 3]) await it.down(index);
  for (const index of [0, 1, 2, 3]) {
    const report = await verifyDatabase(join(it.place(index).dataDir, 'chain'), { genesisHash });
    assert.equal(report.fault, null);
    assert.ok(report.height >= last - 1);
  }
});
