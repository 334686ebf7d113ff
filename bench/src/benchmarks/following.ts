/**
 * A new follower: by blocks, against one core's signature verifications; from a checkpoint, against a hashed file
 * copy. Includes memory. NET_BENCH_AGENTS and NET_BENCH_INTENTS make it smaller.
 */
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beaconIntents, makeAgents } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import type { FollowingNode, FollowReport } from '../following-node.ts';
import type { InProcessNode } from '../in-process-node.ts';
import {
  median,
  memoryOf,
  seconds,
  spread,
  yardstickDetails,
  YardstickTurns,
  type Yardstick,
} from '../measure.ts';
import { RemoteProgram } from '../remote-program.ts';
import type { ServedNode } from '../served-node.ts';
import { StateBuilder } from '../states.ts';

const TURNS = 3;
const SIGNERS = 1_000;
const BATCH = 10_000;
const INTENTS = Number(process.env['NET_BENCH_INTENTS'] ?? 160_000);
/** Each has four pairs. */
const AGENTS = Number(process.env['NET_BENCH_AGENTS'] ?? 250_000);
const CHUNK = 262_144;
const SECONDS_PER_TURN = 900;
const MEMORY_GOAL = 400;
/** Maximum extra milliseconds for readers of a follower that is catching up. */
const DELAY_GOAL = 25;

export async function following(directory: string): Promise<BenchmarkResult[]> {
  return [...(await byBlocks(directory)), ...(await atCheckpoint(directory))];
}

async function byBlocks(directory: string): Promise<BenchmarkResult[]> {
  const dataDir = join(directory, 'signed');
  const agents = makeAgents(SIGNERS);
  const start = await StateBuilder.build(dataDir, (state) => state.register(agents));
  const filler = new RemoteProgram<InProcessNode>(
    new URL('../in-process-node.ts', import.meta.url),
    ['--expose-gc'],
  );
  await filler.call('open', { dataDir });
  for (let done = 0; done < INTENTS; done += BATCH) {
    const intents = beaconIntents(agents, Math.min(BATCH, INTENTS - done), start);
    await filler.call('submit', { intents }, SECONDS_PER_TURN);
  }
  await filler.stop();
  const turns = await inTurns(directory, dataDir, 'genesis', async () => 1);
  const ratios = turns.map(
    ({ report, yardstick }) => report.transitions / report.seconds / yardstick.perSecond,
  );
  const delays = turns.map(({ report }) => report.delay);
  return [
    {
      name: 'catching up by blocks: transitions per second ÷ verifications per second of one core',
      value: median(ratios),
      unit: 'ratio',
      goal: { atLeast: 1.3 },
      details: {
        transitionsPerSecond: median(
          turns.map(({ report }) => report.transitions / report.seconds),
        ),
        ...yardstickDetails(turns.map(({ yardstick }) => yardstick)),
        ...spread(ratios),
      },
    },
    {
      name: 'catching up by blocks: event-loop delay (p99) of the follower',
      value: median(delays),
      unit: 'ms',
      goal: { atMost: DELAY_GOAL },
      details: spread(delays),
    },
    memoryResult('catching up by blocks', turns),
  ];
}

async function atCheckpoint(directory: string): Promise<BenchmarkResult[]> {
  const dataDir = join(directory, 'large');
  await StateBuilder.build(dataDir, (state) => state.registerRange(0, AGENTS));
  const turns = await inTurns(directory, dataDir, 'checkpoint', (bytes) =>
    copyHashed(directory, bytes),
  );
  const ratios = turns.map(({ report, besides }) => besides / restoreSeconds(report));
  const rate = (of: (turn: Turn) => number): number =>
    median(turns.map((turn) => turn.report.bytes / of(turn) / 1_000_000));
  return [
    {
      name: 'beginning at a checkpoint: bytes per second ÷ copying and hashing a file',
      value: median(ratios),
      unit: 'ratio',
      goal: { atLeast: 0.3 },
      details: {
        pairs: 4 * AGENTS,
        megabytesPerSecond: rate(({ report }) => restoreSeconds(report)),
        copyMegabytesPerSecond: rate(({ besides }) => besides),
        secondsChunks: median(turns.map(({ report }) => report.phases['chunks'] ?? 0)),
        secondsPairs: median(turns.map(({ report }) => report.phases['pairs'] ?? 0)),
        secondsTree: median(turns.map(({ report }) => report.phases['tree'] ?? 0)),
        ...spread(ratios),
      },
    },
    memoryResult('beginning at a checkpoint', turns),
  ];
}

const restoreSeconds = ({ phases }: FollowReport): number =>
  Object.values(phases).reduce((sum, time) => sum + time, 0);

function memoryResult(way: string, turns: readonly Turn[]): BenchmarkResult {
  const highest = turns.map(({ memory }) => memory);
  return {
    name: `${way}: highest anonymous resident memory of the follower`,
    value: Math.max(...highest),
    unit: 'MB',
    goal: { atMost: MEMORY_GOAL },
    details: spread(highest),
  };
}

interface Turn {
  report: FollowReport;
  yardstick: Yardstick;
  /** In MB. */
  memory: number;
  /** Seconds of the comparison. */
  besides: number;
}

/** Measures new follower processes of one node, each followed by its comparison. */
async function inTurns(
  directory: string,
  dataDir: string,
  from: 'genesis' | 'checkpoint',
  beside: (bytes: number) => Promise<number>,
): Promise<Turn[]> {
  const writer = new RemoteProgram<ServedNode>(new URL('../served-node.ts', import.meta.url));
  const turns: Turn[] = [];
  try {
    const port = await writer.call('open', { dataDir });
    const origin = `http://127.0.0.1:${port}`;
    const height = from === 'checkpoint' ? await checkpointOf(origin) : await heightOf(origin);
    const yardsticks = new YardstickTurns();
    for (let turn = 0; turn < TURNS; turn++) {
      const path = join(directory, `follower-${turn}`);
      const follower = new RemoteProgram<FollowingNode>(
        new URL('../following-node.ts', import.meta.url),
      );
      let memory = 0;
      const sampler = setInterval(() => {
        memory = Math.max(memory, memoryOf(follower.pid).anonymous);
      }, 100);
      try {
        const { result, yardstick } = await yardsticks.take(() =>
          follower.call('follow', { dataDir: path, origin, from, height }, SECONDS_PER_TURN),
        );
        clearInterval(sampler);
        await follower.call('stop', null);
        turns.push({ report: result, yardstick, memory, besides: await beside(result.bytes) });
      } finally {
        clearInterval(sampler);
        await follower.stop();
      }
      await rm(path, { recursive: true, force: true });
    }
  } finally {
    await writer.stop();
  }
  return turns;
}

async function heightOf(origin: string): Promise<number> {
  const { height } = (await (await fetch(`${origin}/v1/network`)).json()) as { height: number };
  return height;
}

/** Waits until the node has written a checkpoint. */
async function checkpointOf(origin: string): Promise<number> {
  for (;;) {
    const answer = await fetch(`${origin}/v1/state/checkpoint`);
    const { height } = (await answer.json()) as { height: number };
    if (answer.ok) return height;
    await sleep(1_000);
  }
}

/** Returns seconds to read, hash, write and sync as many bytes. */
async function copyHashed(directory: string, bytes: number): Promise<number> {
  const [source, target] = [join(directory, 'source'), join(directory, 'target')];
  const filled = await open(source, 'w');
  for (let at = 0; at < bytes; at += CHUNK) {
    await filled.write(Buffer.alloc(Math.min(CHUNK, bytes - at), at % 251));
  }
  await filled.sync();
  await filled.close();
  const startedAt = performance.now();
  const [from, to] = [await open(source), await open(target, 'w')];
  const buffer = Buffer.alloc(CHUNK);
  for (;;) {
    const { bytesRead } = await from.read(buffer, 0, CHUNK);
    if (bytesRead === 0) break;
    const part = buffer.subarray(0, bytesRead);
    createHash('sha256').update(part).digest();
    await to.write(part);
  }
  await to.sync();
  const time = seconds(startedAt);
  await Promise.all([from.close(), to.close()]);
  await Promise.all([rm(source), rm(target)]);
  return time;
}
