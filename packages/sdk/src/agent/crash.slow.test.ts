/** An agent that is killed at every step of work, talk and memory, and goes on: everything happens once. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once as onceEvent } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inCampaign, until } from '@netd/protocol/testing';
import { Agent } from './agent.ts';
import { FAILPOINTS, type Failpoint } from './failpoints.ts';
import { stage } from './testing/staged.ts';

const staged = stage({ staffed: true });
const CHILD = fileURLToPath(new URL('testing/crash-child.ts', import.meta.url));

const at =
  (...points: Failpoint[]) =>
  (action: string): string[] =>
    points.map((point) => `${point}@${action}`);
const act = at('act.signed', 'act.answered', 'act.recorded');
/** Once the chain shows the action, the agent does not ask for its receipt: `act.recorded` needs another run. */
const sent = at('act.signed', 'act.answered');
const recorded = at('act.recorded');

/** In the order in which a run reaches them, so that each start continues from the one before. */
const WORK = [
  'work.chosen',
  ...sent('acceptWork'),
  'work.handled',
  'work.kept',
  'work.stored',
  ...sent('submitWorkResult'),
  ...sent('settleVerifiedWork'),
  'work.settled',
];
const WORK_AGAIN = ['acceptWork', 'submitWorkResult', 'settleVerifiedWork'].flatMap(recorded);
const TALK = [
  'message.answered',
  'message.sealed',
  ...act('sendAgentMessage'),
  'message.sent',
  ...act('acknowledgeAgentMessage'),
];
const MEMORY = ['memory.sealed', ...act('commitMemoryCheckpoint'), 'memory.committed'];

/** In a run of the agent that moves. `TAKING` is for the provider it moves to. */
const LEAVING = [
  'memory.sealed',
  ...sent('commitMemoryCheckpoint'),
  'handover.noted',
  ...act('prepareMemoryHandover'),
  'handover.prepared',
];
/** After the second of these the memory has moved, so the remaining points need another run. */
const MOVING = sent('finalizeMemoryHandover');
const MOVED = ['handover.finalized'];
const TAKING = ['handover.restored', ...sent('attestMemoryRestore')];

/** In a run of an agent that rotates its X25519 key. */
const ROTATION = ['key.kept', ...sent('publishBeacon')];

/** In runs of a worker whose handler thinks, hires and pays, before it returns. */
const STEPS = [
  'step.done@think',
  'step.kept@think',
  'step.done@help',
  'step.kept@help',
  'hire.stored',
  ...act('createWorkOrder'),
  'step.done@tip',
  ...act('transfer'),
  'work.handled',
];

/** In a run of a requester: between storing and escrow, and around the escrow. */
const HIRING = ['hire.stored', ...act('createWorkOrder')];

/** A run that never reaches its failpoint does not end by itself. */
const bounded = { timeout: 600_000 };

class Lifecycle {
  readonly trace: string;
  private readonly agentId: string;
  private readonly options: string;

  constructor(agentId: string) {
    this.agentId = agentId;
    this.trace = join(staged.world.home, `${agentId}.trace`);
    this.options = JSON.stringify(staged.world.options());
  }

  start(
    failpoint: string,
    remember = '',
    last = '',
  ): { child: ChildProcess; said: (line: string) => Promise<void> } {
    const child = spawn(
      process.execPath,
      [CHILD, this.agentId, this.options, this.trace, remember, last],
      {
        env: { ...process.env, NET_FAILPOINT: failpoint },
        timeout: bounded.timeout,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    child.stdout?.on('data', (part: Buffer) => (output += part.toString()));
    const said = async (line: string): Promise<void> => {
      await until(async () => {
        assert.ok(child.exitCode === null && child.signalCode === null, `it ended: ${output}`);
        return `\n${output}`.includes(`\n${line}`);
      });
    };
    return { child, said };
  }

  /** Runs until the process dies at the failpoint. */
  async dieAt(failpoint: string, remember?: string, last?: string): Promise<void> {
    const { child } = this.start(failpoint, remember, last);
    const [code, signal] = (await onceEvent(child, 'exit')) as [number | null, string | null];
    assert.deepEqual([code, signal], [null, 'SIGKILL'], `it did not get to ${failpoint}`);
  }

  /** Lines of the trace, by how often. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    const lines = existsSync(this.trace) ? readFileSync(this.trace, 'utf8').split('\n') : [];
    for (const line of lines.filter(Boolean)) counts[line] = (counts[line] ?? 0) + 1;
    return counts;
  }
}

async function end({ child }: { child: ChildProcess }): Promise<void> {
  child.kill('SIGTERM');
  const [code, signal] = (await onceEvent(child, 'exit')) as [number | null, string | null];
  assert.deepEqual([code, signal], [0, null]);
}

async function happened(type: string, member: string, value: string): Promise<number> {
  return (await staged.world.events(type)).filter((data) => data[member] === value).length;
}

test('every failpoint is in one of the lives below', () => {
  const reached = new Set(
    [
      ...WORK,
      ...WORK_AGAIN,
      ...TALK,
      ...MEMORY,
      ...LEAVING,
      ...MOVING,
      ...MOVED,
      ...TAKING,
      ...ROTATION,
      ...HIRING,
      ...STEPS,
    ].map((point) => point.split('@')[0]),
  );
  assert.deepEqual(
    (Object.keys(FAILPOINTS) as Failpoint[]).filter((name) => !reached.has(name)),
    [],
  );
});

for (const [agentId, failpoints, times, options] of [
  ['other-worker', WORK_AGAIN, 1, { ...bounded, ...inCampaign }],
  // Twice: the first result was lost before it was on disk.
  ['worker', WORK, 2, bounded],
] as const) {
  test(
    `killed at each step of a job: accepted once, submitted once, paid once (${agentId})`,
    options,
    async () => {
      const { world } = staged;
      const life = new Lifecycle(agentId);
      // The first start joins; an order can name the agent from then on.
      const first = life.start('');
      await first.said('open');
      await end(first);
      const orderId = await world.order({ agentId });
      for (const failpoint of failpoints) await life.dieAt(failpoint);
      const last = life.start('');
      await last.said(`paid ${orderId}`);
      await end(last);
      const order = await world.orderAt(orderId);
      assert.deepEqual([order.status, order.workerId], ['PAID', agentId]);
      for (const type of ['WorkAccepted', 'WorkResultSubmitted', 'WorkOrderPaid']) {
        assert.equal(await happened(type, 'orderId', orderId), 1, type);
      }
      assert.equal(await happened('BeaconPublished', 'agentId', agentId), 1);
      assert.equal(await world.balanceOf(agentId), order.funding);
      assert.deepEqual(life.counts(), { [`worked on ${orderId}`]: times });
    },
  );
}

test(
  'killed in and between the steps of a handler: each is recorded once, and hires and pays once',
  bounded,
  async () => {
    const { world } = staged;
    const helper = await Agent.open('helper', world.options());
    await helper.stop();
    const before = await Agent.open('stepper', world.options());
    await before.act('faucet', { amount: 20_000_000 });
    await before.stop();
    const life = new Lifecycle('stepper');
    const orderId = await world.order({ agentId: 'stepper' });
    for (const failpoint of STEPS) await life.dieAt(failpoint);
    const last = life.start('');
    await last.said(`paid ${orderId}`);
    await end(last);
    assert.equal(await happened('WorkOrderCreated', 'requesterId', 'stepper'), 1);
    const tips = (await world.events('Transferred')).filter(
      ({ toActorId }) => toActorId === 'helper',
    );
    assert.equal(tips.length, 1);
    // The first thought was lost before it was on disk; both last runs had the same results.
    const counts = Object.entries(life.counts());
    assert.deepEqual(
      counts.map(([line, count]) => [line.split(' ')[0], count]),
      [
        ['thought', 2],
        ['Thought', 2],
        ['worked', 2],
      ],
    );
  },
);

test('killed at each step of an answer: answered once, acknowledged once', bounded, async (t) => {
  const life = new Lifecycle('talker');
  const first = life.start('');
  await first.said('open');
  await end(first);
  const asker = await Agent.open('asker', staged.world.options());
  t.after(() => asker.stop());
  const asked = asker.ask('talker', 'Still there?');
  for (const failpoint of TALK) await life.dieAt(failpoint);
  const last = life.start('');
  const answer = await asked;
  assert.equal(answer.text, 'You said: Still there?');
  await until(
    async () => (await happened('AgentMessageAcknowledged', 'toAgentId', 'talker')) === 1,
  );
  await last.said('open');
  await end(last);
  assert.equal(await happened('AgentMessageSent', 'fromAgentId', 'talker'), 1);
  assert.equal(await happened('AgentMessageAcknowledged', 'toAgentId', 'talker'), 1);
  assert.deepEqual(Object.values(life.counts()), [2]);
});

test(
  'killed at each step of a checkpoint: one generation each, and the memory is right',
  bounded,
  async () => {
    const life = new Lifecycle('rememberer');
    for (const [index, failpoint] of MEMORY.entries()) await life.dieAt(failpoint, `life ${index}`);
    const last = life.start('', 'the last life');
    await last.said('remembered');
    await end(last);
    const { world } = staged;
    const { checkpoints } = await world.client.read('/v1/memory/checkpoints', {
      agentId: 'rememberer',
    });
    const generations = checkpoints.map(({ generation }) => generation);
    assert.deepEqual(
      generations,
      generations.map((_, index) => generations.length - index),
    );
    const keys = join(world.home, 'keys');
    const agent = await Agent.open('rememberer', world.options({ keys }));
    assert.equal(agent.memory.get('remembered'), 'the last life');
    assert.equal(agent.memory.generation, generations[0]);
    await agent.stop();
  },
);

test(
  'killed at each step of a handover: prepared, restored and finalized once, and written in one place',
  { ...bounded, ...inCampaign },
  async (t) => {
    const { world } = staged;
    const harbour = await Agent.open('harbour', world.options());
    await world.offerRuntime(harbour, 'pier-1');
    await harbour.stop();
    const mover = await Agent.open('mover', world.options());
    mover.memory.set('cargo', 'tea');
    await mover.stop();

    const leaving = new Lifecycle('mover');
    for (const failpoint of LEAVING) await leaving.dieAt(failpoint, '', 'harbour/pier-1');
    const taking = new Lifecycle('harbour');
    for (const failpoint of TAKING) await taking.dieAt(failpoint);
    const harbourAgain = taking.start('');
    await until(async () => (await happened('MemoryRestoreAttested', 'agentId', 'mover')) === 1);
    // The memory is locked until the outcome of the handover is known.
    const between = await Agent.open('mover', world.options());
    assert.throws(() => between.memory.set('cargo', 'coffee'), { code: 'MEMORY_MOVING' });
    await between.stop();

    for (const failpoint of MOVING) await leaving.dieAt(failpoint, '', 'harbour/pier-1');
    for (const failpoint of MOVED)
      await new Lifecycle('other-mover').dieAt(failpoint, '', 'harbour/pier-1');
    await harbourAgain.said('open');
    await end(harbourAgain);
    for (const agentId of ['mover', 'other-mover']) {
      await assert.rejects(Agent.open(agentId, world.options()), { code: 'MEMORY_ELSEWHERE' });
      for (const type of ['Prepared', 'Finalized']) {
        assert.equal(await happened(`MemoryHandover${type}`, 'agentId', agentId), 1, type);
      }
      assert.equal(await happened('MemoryRestoreAttested', 'agentId', agentId), 1);
    }
    // Its own checkpoint, and the one for the provider.
    assert.equal(await happened('MemoryCheckpointCommitted', 'agentId', 'mover'), 2);
    const there = await Agent.open('mover', world.options({ runtime: 'pier-1' }));
    t.after(() => there.stop());
    assert.equal(there.memory.get('cargo'), 'tea');
    there.memory.set('cargo', 'silk');
  },
);

test(
  'killed while it takes a new key: the new one is published, the old one still opens',
  { ...bounded, ...inCampaign },
  async (t) => {
    const { world } = staged;
    const before = await Agent.open('rotator', world.options());
    await before.stop();
    const asker = await Agent.open('curious', world.options());
    t.after(() => asker.stop());
    const asked = asker.ask('rotator', 'With the old key?');
    await until(async () => (await happened('AgentMessageSent', 'fromAgentId', 'curious')) === 1);
    const life = new Lifecycle('rotator');
    const [kept = '', ...publishing] = ROTATION;
    await life.dieAt(kept, '', 'rotate');
    // The next life publishes what is on disk before it does anything else.
    for (const failpoint of publishing) await life.dieAt(failpoint);
    const last = life.start('');
    assert.equal((await asked).text, 'You said: With the old key?');
    assert.equal((await asker.ask('rotator', 'And now?')).text, 'You said: And now?');
    await end(last);
    assert.equal(await happened('BeaconPublished', 'agentId', 'rotator'), 2);
  },
);

test(
  'killed at each step of hiring: the scope is stored, and the escrow is paid once',
  bounded,
  async () => {
    const { world } = staged;
    const before = await Agent.open('hirer', world.options());
    await before.act('faucet', { amount: 20_000_000 });
    await before.stop();
    const life = new Lifecycle('hirer');
    for (const failpoint of HIRING) await life.dieAt(failpoint, '', 'hire');
    const last = life.start('', '', 'hire');
    await last.said('hired');
    await end(last);
    assert.equal(await happened('WorkOrderCreated', 'requesterId', 'hirer'), 1);
    const order = await world.orderAt('job-of-hirer');
    const left = 20_000_000 - order.funding - order.verificationFee;
    assert.equal(await world.balanceOf('hirer'), left);
    assert.ok(await world.fetch(order.scopeHash));
  },
);
