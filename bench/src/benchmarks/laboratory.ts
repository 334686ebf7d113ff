/** A lab: forking a network with many agents, rewinding it, and a network per test. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startNetwork } from '@netd/sdk/test';
import type { BenchmarkResult } from '../benchmark.ts';
import { median, spread } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const AGENTS = 100_000;
const TURNS = 20;
const TESTS = 100;
/** The target machine's cores. */
const AT_ONCE = 2;
const LOOK_MILLISECONDS = 100;
const netd = fileURLToPath(new URL('../../../packages/cli/bin/netd.mjs', import.meta.url));
const timeout = 180_000;

export async function laboratory(directory: string): Promise<BenchmarkResult[]> {
  return [...(await forked(join(directory, 'origin'))), await manyTests()];
}

/** Returns milliseconds. */
async function timed(what: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await what();
  return performance.now() - begun;
}

async function forked(dataDir: string): Promise<BenchmarkResult[]> {
  await StateBuilder.build(dataDir, (state) => state.registerRange(0, AGENTS));
  const origin = await startNetd(dataDir);
  const forkFrom = `http://127.0.0.1:${origin.port}`;
  try {
    while (!(await fetch(`${forkFrom}/v1/state/checkpoint`)).ok) await sleep(LOOK_MILLISECONDS);
    const begun = performance.now();
    const fork = await startNetwork({ netd, forkFrom, timeout });
    const forking = performance.now() - begun;
    try {
      const snapshots: number[] = [];
      const reverts: number[] = [];
      await fork.join('newcomer');
      for (let turn = 0; turn <= TURNS; turn++) {
        let id = '';
        snapshots.push(await timed(async () => (id = await fork.snapshot())));
        const transfer = { to: 'newcomer', amount: 1 };
        await fork.client.act(fork.operator, 'transfer', transfer);
        reverts.push(await timed(() => fork.revert(id)));
      }
      const [kept, back] = [snapshots.slice(1), reverts.slice(1)];
      return [
        {
          name: `fork of a network with ${AGENTS.toLocaleString('en')} agents until it answers`,
          value: forking,
          unit: 'ms',
          goal: { atMost: 30_000 },
          details: {},
        },
        {
          name: 'snapshot of it and back, after a block',
          value: median(kept) + median(back),
          unit: 'ms',
          goal: { atMost: 50 },
          details: { snapshot: median(kept), revert: median(back), ...spread(back) },
        },
      ];
    } finally {
      await fork.stop();
    }
  } finally {
    await origin.kill('SIGTERM');
  }
}

async function manyTests(): Promise<BenchmarkResult> {
  const each: number[] = [];
  const lane = async (): Promise<void> => {
    while (each.length < TESTS) {
      const at = each.push(0) - 1;
      each[at] = await timed(async () => {
        const network = await startNetwork({ netd, agents: ['ada'], timeout });
        await network.client.act(network.operator, 'transfer', { to: 'ada', amount: 1 });
        await network.stop();
      });
    }
  };
  const all = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, lane)));
  return {
    name: `${TESTS} tests with a network each, ${AT_ONCE} at once`,
    value: all,
    unit: 'ms',
    goal: { atMost: 60_000 },
    details: { each: median(each), ...spread(each) },
  };
}
