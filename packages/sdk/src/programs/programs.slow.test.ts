/**
 * Runs a service, a pipeline, a notebook and a migration in both languages and on all runtimes, while their node is
 * killed, slow, full or reset. Each order is paid once, and no recorded step runs again. A reset ends the programs with
 * CHAIN_REPLACED. A build plays two scenarios; a campaign plays all.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { plays, until } from '@netd/protocol/testing';
import { Agent } from '../agent/agent.ts';
import { faultyNode, FAULTS, type FaultName, type FaultyNode } from './testing/faults.ts';
import { Pages } from './testing/pages.ts';
import { Program, type End } from './testing/program.ts';
import {
  installed,
  RUNTIMES,
  startOf,
  writePrograms,
  type ProgramName,
  type RuntimeName,
} from './testing/runtimes.ts';

const NET = 1_000_000;
/** Ends a scenario that hangs. */
const bounded = { timeout: 600_000 };
/** Milliseconds after which a call fails, because the node is full. */
const IMPATIENT = '3000';

/** The runtimes of a market: its service, its pipeline and its notebook. */
type Market = readonly [service: RuntimeName, pipeline: RuntimeName, notebook: RuntimeName];
/** The runtime that an agent leaves, and the one on which it continues. */
type Move = readonly [from: RuntimeName, to: RuntimeName];

const markets = plays<(readonly [Market, FaultName])[]>(
  [[['workerd', 'deno', 'bun'], 'killed']],
  RUNTIMES.flatMap((name) =>
    FAULTS.map((fault) => [[name, name, name === 'workerd' ? 'node 24' : name], fault] as const),
  ),
);
const moves = plays<(readonly [Move, FaultName])[]>(
  [[['node 20', 'python'], 'slow']],
  RUNTIMES.filter((name) => name !== 'workerd').flatMap((name) =>
    FAULTS.map((fault) => [[name, name === 'python' ? 'node 20' : 'python'], fault] as const),
  ),
);

const needed = new Set([...markets, ...moves].flatMap(([names]) => [...names]));
const found = await installed([...needed]);
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'netd-programs-'));
  await writePrograms(folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** A network whose node will fail, and the programs on it. */
class Scene {
  readonly pages: Pages;
  readonly node: FaultyNode;
  readonly home: string;
  private readonly programs = new Set<Program>();

  constructor(node: FaultyNode, pages: Pages) {
    this.node = node;
    this.pages = pages;
    this.home = join(node.world.home, 'programs');
    mkdirSync(this.home);
  }

  get keys(): string {
    return join(this.home, 'keys');
  }

  /** Starts a program. All of them share a folder of keys unless `keys` names another. */
  async start(
    runtime: RuntimeName,
    call: readonly [ProgramName, ...string[]],
    { keys = this.keys, ...more }: Record<string, string> = {},
  ): Promise<Program> {
    const env = {
      NET_URL: this.node.url,
      NET_HOME: keys,
      PAGES: `${this.pages.url}/one ${this.pages.url}/another`,
      ...more,
    };
    const place = { folder, home: this.home, env };
    const program = new Program(await startOf(runtime, found.get(runtime) ?? '', call, place));
    this.programs.add(program);
    return program;
  }

  async end(): Promise<void> {
    for (const program of this.programs) await program.end('SIGKILL');
    this.pages.close();
  }

  /** Returns the number of events of each type. */
  async counts(...types: string[]): Promise<number[]> {
    return Promise.all(types.map(async (type) => (await this.node.world.events(type)).length));
  }

  async isRegistered(agentId: string): Promise<boolean> {
    return this.node.world.balanceOf(agentId).then(
      () => true,
      () => false,
    );
  }
}

/** Plays in a scene, or skips the test with the reason. */
async function inScene(
  t: TestContext,
  fault: FaultName,
  names: readonly RuntimeName[],
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const missing = names.find((name) => found.get(name) === null);
  if (missing !== undefined) return t.skip(`${missing} is unavailable here`);
  const ends: (() => unknown)[] = [];
  t.after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  const node = await faultyNode(fault, ends);
  if (!node) return t.skip('only root can mount a small disk');
  await node.world.staff();
  await node.world.announceBlobs();
  const scene = new Scene(node, await Pages.open());
  ends.push(() => scene.end());
  await play(scene);
}

const isDone = ({ code, output }: End): string => {
  assert.equal(code, 0, output);
  return output.trim().split('\n').at(-1) ?? '';
};

/** A program that serves ends with 0 at SIGTERM; workerd has no such way to end. */
async function stopped(runtime: RuntimeName, program: Program): Promise<void> {
  const { code, output } = await program.end('SIGTERM');
  if (runtime !== 'workerd') assert.equal(code, 0, output);
}

/** Waits until a program ends with status 1 and an error code. */
async function fails(program: Program, code: string): Promise<void> {
  const { code: status, output } = await program.ended;
  assert.ok(output.includes(code), output);
  assert.equal(status, 1, output);
}

/** Waits until a new chain has ended a program, and until its next start has failed too. */
async function saysReset(program: Program, again: () => Promise<Program>): Promise<void> {
  await fails(program, 'CHAIN_REPLACED');
  await fails(await again(), 'CHAIN_REPLACED');
}

for (const [[service, pipeline, notebook], fault] of markets) {
  const names = [...new Set([service, pipeline, notebook])];
  test(
    `a service, a pipeline and a notebook on ${names.join(', ')}, with a node that is ${fault}`,
    bounded,
    (t) =>
      inScene(t, fault, names, async (scene) => {
        const { node, pages } = scene;
        await node.world.join('author');
        let seller = await scene.start(service, ['service']);
        let editor = await scene.start(pipeline, ['pipeline']);
        await until(() => scene.isRegistered('counter'));
        await until(() => scene.isRegistered('totaller'));

        if (fault === 'full') {
          await node.strike();
          const early = await scene.start(notebook, ['notebook'], { PATIENCE: IMPATIENT });
          await fails(early, 'CALL_TIMEOUT');
          await node.mend();
          assert.deepEqual(await scene.counts('WorkOrderCreated'), [0]);
        }
        pages.hold('/another');
        let reader = await scene.start(notebook, ['notebook']);
        await until(() => pages.asked['/another'] === 1);
        const heard = (): string => [seller, editor, reader].map(({ output }) => output).join('\n');
        const known = heard().length;
        await node.strike();
        pages.release('/another');

        if (fault === 'reset') {
          for (const [program, runtime, call] of [
            [seller, service, 'service'],
            [editor, pipeline, 'pipeline'],
            [reader, notebook, 'notebook'],
          ] as const)
            if (runtime === 'workerd') await program.says('CHAIN_REPLACED');
            else await saysReset(program, () => scene.start(runtime, [call]));
          assert.deepEqual(await scene.counts('WorkOrderCreated', 'WorkOrderPaid'), [0, 0]);
          const paid = await node.world.events('Transferred');
          assert.deepEqual(
            paid.filter(({ toActorId }) => toActorId === 'author'),
            [],
          );
          return;
        }
        await until(() => seller.output.match(/counted /g)?.length === 2);
        await node.felt(() => heard().slice(known).includes('offline'));
        if (fault === 'killed') {
          for (const each of [seller, editor, reader]) await each.end('SIGKILL');
          const early = await scene.start(notebook, ['notebook']);
          await fails(early, 'NODE_UNREACHABLE');
          await node.mend();
          seller = await scene.start(service, ['service']);
          editor = await scene.start(pipeline, ['pipeline']);
          reader = await scene.start(notebook, ['notebook']);
        } else await node.mend();
        assert.deepEqual(JSON.parse(isDone(await reader.ended)), {
          letters: '/one/another'.length,
        });
        const again = await scene.start(notebook, ['notebook']);
        assert.deepEqual(JSON.parse(isDone(await again.ended)), { letters: '/one/another'.length });
        await until(async () => (await scene.counts('WorkOrderPaid'))[0] === 3);
        await stopped(service, seller);
        await stopped(pipeline, editor);

        assert.deepEqual(pages.asked, { '/one': 1, '/another': 1 });
        assert.deepEqual(
          await scene.counts(
            'WorkOrderCreated',
            'WorkAccepted',
            'WorkResultSubmitted',
            'WorkOrderPaid',
          ),
          [3, 3, 3, 3],
        );
        const paid = await node.world.events('Transferred');
        assert.equal(paid.filter(({ toActorId }) => toActorId === 'author').length, 2);
        // The counter gets 10 NET for each page, and the totaller 40 NET. A jury takes 2 %, and the author 1 NET for each page.
        assert.equal(await node.world.balanceOf('counter'), (5 + 2 * 10 - 2) * NET);
        assert.equal(await node.world.balanceOf('totaller'), (50 + 40) * NET - 2 * 10.2 * NET);
        assert.equal(await node.world.balanceOf('reader'), 50 * NET - 40.8 * NET);
      }),
  );
}

for (const [[from, to], fault] of moves) {
  test(`a migration from ${from} to ${to}, with a node that is ${fault}`, bounded, (t) =>
    inScene(t, fault, [from, to], async (scene) => {
      const { node } = scene;
      const { world } = node;
      const harbour = await Agent.open('harbour', world.options());
      t.after(() => harbour.stop());
      await world.offerRuntime(harbour, 'harbour-1');
      harbour.onHandover(() => {});
      const leave = (): Promise<Program> => scene.start(from, ['migration', 'leave']);
      // A full node answers reads, so fill it before the program writes.
      if (fault === 'full') await node.strike();
      let leaving = await leave();
      if (fault !== 'full') {
        await until(async () => (await scene.counts('MemoryHandoverPrepared'))[0] === 1);
        await node.strike();
      }
      const known = fault === 'full' ? 0 : leaving.output.length;
      if (fault === 'reset') {
        await saysReset(leaving, leave);
        assert.deepEqual(await scene.counts('MemoryHandoverPrepared'), [0]);
        return;
      }
      await node.felt(() => leaving.output.slice(known).includes('offline'));
      if (fault === 'killed') {
        await leaving.end('SIGKILL');
        await node.mend();
        leaving = await leave();
      } else await node.mend();
      void harbour.run();
      assert.deepEqual(JSON.parse(isDone(await leaving.ended)), { generation: 1 });
      await fails(await leave(), 'MEMORY_ELSEWHERE');

      // Another machine has the keys and nothing else.
      const keys = join(scene.home, 'elsewhere', 'keys');
      cpSync(scene.keys, keys, { recursive: true });
      const arrived = await scene.start(to, ['migration', 'arrive'], { keys });
      assert.deepEqual(JSON.parse(isDone(await arrived.ended)), {
        cargo: ['tea', 'silk'],
        generation: 2,
      });
      assert.deepEqual(
        await scene.counts(
          'MemoryHandoverPrepared',
          'MemoryRestoreAttested',
          'MemoryHandoverFinalized',
        ),
        [1, 1, 1],
      );
    }),
  );
}
