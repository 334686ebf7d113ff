import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AgentError, codeOf } from './agent-error.ts';
import { AgentEmitter } from './emitter.ts';
import { Records, type AgentState } from './home.ts';
import { durable, forgetSteps, StepLog, whileOwned, type DurableJob } from './job-steps.ts';
import { memoryHome } from './leased-home.ts';
import type { AgentParts, WorkOrder } from './parts.ts';
import { Poller } from './poller.ts';
import { retryPause } from './retry-policy.ts';

const SECRET = 'ab'.repeat(32);
const ACCEPTED = {
  orderId: 'o',
  status: 'ACCEPTED',
  workerId: 'ada',
  acceptedAt: { height: 7, index: 0 },
  deadline: { height: 9, time: '1970-01-01T00:00:10.000Z' },
  releasedBy: [],
  reason: null,
} as unknown as WorkOrder;

interface Stage {
  parts: AgentParts;
  state: AgentState;
  stop: () => void;
  /** Changes the chain, and wakes everything that waits for it. */
  change: (order: object | null, now?: number) => void;
}

async function stage(t: TestContext): Promise<Stage> {
  const controller = new AbortController();
  t.after(() => controller.abort());
  const poller = new Poller(controller.signal);
  const state = await memoryHome().openState();
  let order: object | null = ACCEPTED;
  let time = 0;
  const parts = {
    agentId: 'ada',
    idSecret: SECRET,
    poller,
    state,
    events: new AgentEmitter(() => {}),
    time: { now: () => time },
    outbox: { forget: async () => {} },
    reach: () => {},
    retryingClient: { order: async () => order },
  } as unknown as AgentParts;
  const change = (next: object | null, now = time): void => {
    [order, time] = [next, now];
    poller.wake();
  };
  const stop = (): void => controller.abort(new AgentError('AGENT_STOPPED', 'ada'));
  return { parts, state, stop, change };
}

async function run(
  { parts }: Stage,
  order = ACCEPTED,
  signal = new AbortController().signal,
): Promise<DurableJob> {
  return durable(parts, order, await StepLog.open(parts, order), signal);
}

describe('a step', () => {
  it('is computed once, and returns its result in later runs', async (t) => {
    const staged = await stage(t);
    let calls = 0;
    const value = { sum: 3, list: [1, null, 'two'] };
    const add = async (): Promise<typeof value> => (calls++, value);
    assert.deepEqual(await (await run(staged)).step('add', add), value);
    assert.deepEqual(await (await run(staged)).step('add', add), value);
    assert.equal(calls, 1);
  });

  it('may return nothing', async (t) => {
    const staged = await stage(t);
    let calls = 0;
    const tell = (): void => void calls++;
    assert.equal(await (await run(staged)).step('tell', tell), undefined);
    assert.equal(await (await run(staged)).step('tell', tell), undefined);
    assert.equal(calls, 1);
  });

  it('runs again if it failed', async (t) => {
    const staged = await stage(t);
    const outcomes: string[] = [];
    staged.parts.events.on('step', ({ step, outcome, reason }) =>
      outcomes.push(`${step} ${outcome} ${reason}`),
    );
    const fail = async (): Promise<string> => Promise.reject(new Error('no'));
    await assert.rejects((await run(staged)).step('try', fail), { message: 'no' });
    assert.equal(await (await run(staged)).step('try', () => 'yes'), 'yes');
    assert.equal(await (await run(staged)).step('try', fail), 'yes');
    assert.deepEqual(outcomes, ['try failed no', 'try recorded null', 'try known null']);
  });

  it('reports what is thrown even if it is no error', async (t) => {
    const staged = await stage(t);
    const reasons: (string | null)[] = [];
    staged.parts.events.on('step', ({ reason }) => reasons.push(reason));
    const rejected = async (thrown: unknown): Promise<void> => Promise.reject(thrown);
    const job = await run(staged);
    for (const [at, thrown] of ['no', undefined, null].entries()) {
      const failed = job.step(`${at}`, () => rejected(thrown));
      const got = await failed.then(
        () => assert.fail(),
        (error: unknown) => error,
      );
      assert.equal(got, thrown);
    }
    assert.deepEqual(reasons, ['no', 'undefined', 'null']);
  });

  it('is called as often as its policy says', async (t) => {
    const job = await run(await stage(t));
    let calls = 0;
    const fails = (code: 'UNEXPECTED' | 'NOT_RETRYABLE') => (): string => {
      calls++;
      throw new AgentError(code);
    };
    const policy = { attempts: 3, backoff: 1 };
    await assert.rejects(job.step('thrice', fails('UNEXPECTED'), policy));
    assert.equal(calls, 3);
    await assert.rejects(job.step('once', fails('NOT_RETRYABLE'), policy));
    assert.equal(calls, 4);
  });

  it('has a name of its own', async (t) => {
    const job = await run(await stage(t));
    await job.step('same', () => 1);
    await assert.rejects(
      job.step('same', () => 2),
      { code: 'STEP_REPEATED' },
    );
  });

  it('returns what JSON can hold', async (t) => {
    const job = await run(await stage(t));
    const bad = (): { rows: Date[] } => ({ rows: [new Date(0)] });
    // @ts-expect-error a Date is no JSON
    const refused = job.step('dated', bad);
    await assert.rejects(refused, ({ code, data, message }: AgentError) => {
      assert.deepEqual([code, data], ['VALUE_NOT_JSON', { path: '/rows/0' }]);
      return message.includes('step dated');
    });
  });

  it('is one of at most 200, of a mebibyte in all', async (t) => {
    const staged = await stage(t);
    const job = await run(staged);
    await assert.rejects(
      job.step('large', () => 'x'.repeat(1_048_576)),
      { code: 'STEP_LIMIT' },
    );
    await assert.rejects(
      job.step('n'.repeat(101), () => 1),
      { code: 'STEP_LIMIT' },
    );
    await Promise.all(Array.from({ length: 200 }, async (_, at) => job.step(`${at}`, () => at)));
    await assert.rejects(
      job.step('more', () => assert.fail('was called')),
      { code: 'STEP_LIMIT' },
    );
    assert.equal(await (await run(staged)).step('199', () => 0), 199);
  });

  it('counts for one acceptance, and is removed with its order', async (t) => {
    const staged = await stage(t);
    await (await run(staged)).step('add', () => 1);
    const again = { ...ACCEPTED, acceptedAt: { height: 8, index: 0 } } as WorkOrder;
    const later = await run(staged, again);
    assert.equal(await later.step('add', () => 2), 2);
    await forgetSteps(staged.parts, 'o');
    assert.deepEqual(await staged.state.names(), []);
  });

  it('keeps its key if the keys of the agent change', async (t) => {
    const staged = await stage(t);
    const job = await run(staged);
    await job.step('think', () => 1);
    const key = job.key('pay');
    staged.parts.idSecret = 'cd'.repeat(32);
    assert.equal((await run(staged)).key('pay'), key);
    await forgetSteps(staged.parts, 'o');
    assert.notEqual((await run(staged)).key('pay'), key);
  });

  it('has a key of a secret, order, acceptance and name', async (t) => {
    const job = await run(await stage(t));
    // clients/python/tests/test_job.py expects the same.
    assert.equal(job.key('pay'), 'job-3d5f80f25f4077b90b01ca4459fbe0ae4221a61a');
    assert.notEqual(job.key('pay'), job.key('play'));
  });

  it('keeps the key that it had before keys had a secret', async (t) => {
    const staged = await stage(t);
    const steps = [{ name: 'pay', kind: 'own', result: [1] }];
    const record = { orderId: 'o', acceptance: '7.0', steps };
    await new Records(staged.state, 'steps').put('o', record);
    // clients/python/tests/test_job.py expects the same.
    const key = 'job-3f2700bcd038ca99daf23444e1f804e2';
    const job = await run(staged);
    assert.equal(job.key('pay'), key);
    await job.step('think', () => 1);
    assert.equal((await run(staged)).key('pay'), key);
    const forgotten: string[] = [];
    staged.parts.outbox.forget = async (name) => void forgotten.push(name);
    await forgetSteps(staged.parts, 'o');
    assert.deepEqual(forgotten, [`own/${key}`]);
  });

  it('is refused once the run has ended', async (t) => {
    const staged = await stage(t);
    const controller = new AbortController();
    const job = await run(staged, ACCEPTED, controller.signal);
    const late = job.step('late', async () => {
      controller.abort(new AgentError('JOB_ENDED', 'o'));
      return 1;
    });
    await assert.rejects(late, { code: 'JOB_ENDED' });
    await assert.rejects(
      job.step('later', () => assert.fail('was called')),
      { code: 'JOB_ENDED' },
    );
    assert.deepEqual(await staged.state.names(), []);
  });
});

describe('the signal of a job', () => {
  const never = async (): Promise<never> => new Promise(() => {});

  /** Returns the code of the signal's reason, and of the error that ends the handler. */
  async function endOf({ parts }: Stage, change: () => void): Promise<(string | null)[]> {
    let signal: AbortSignal | null = null;
    const running = whileOwned(parts, ACCEPTED, async (given) => {
      signal = given;
      return never();
    });
    change();
    const error = await running.then(assert.fail, (thrown: unknown) => thrown);
    return [codeOf(signal!.reason), codeOf(error)];
  }

  it('fires at the deadline of the chain', async (t) => {
    const staged = await stage(t);
    const ends = await endOf(staged, () => staged.change(ACCEPTED, 10_000));
    assert.deepEqual(ends, ['JOB_DEADLINE', 'JOB_DEADLINE']);
  });

  it('fires when the order goes to others', async (t) => {
    const open = { ...ACCEPTED, status: 'OPEN', workerId: null, releasedBy: ['ada'] };
    const staged = await stage(t);
    const ends = await endOf(staged, () => staged.change(open));
    assert.deepEqual(ends, ['JOB_LOST', 'JOB_LOST']);
  });

  it('fires when the agent stops', async (t) => {
    const staged = await stage(t);
    assert.deepEqual(await endOf(staged, staged.stop), ['AGENT_STOPPED', 'AGENT_STOPPED']);
  });

  it('stays silent while the order is held, and fires after the handler', async (t) => {
    const staged = await stage(t);
    let signal: AbortSignal | null = null;
    const result = await whileOwned(staged.parts, ACCEPTED, async (given) => {
      signal = given;
      staged.change({ ...ACCEPTED }, 9_999);
      await new Promise((resolve) => setImmediate(resolve));
      return given.aborted;
    });
    assert.equal(result, false);
    assert.equal(codeOf(signal!.reason), 'JOB_ENDED');
  });
});

it('pauses between calls double up to half a minute, or to the given pause', () => {
  assert.deepEqual(
    [1, 2, 9].map((failures) => retryPause({}, failures)),
    [1_000, 2_000, 30_000],
  );
  assert.equal(retryPause({ backoff: 60_000 }, 3), 60_000);
});
