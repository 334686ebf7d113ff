/** Steps of a job, whose results are on disk: a run after a crash or a failure continues with them. */
import {
  canonicalize,
  hashValue,
  utf8Bytes,
  type JsonObject,
  type JsonValue,
  type Receipt,
} from '@netd/protocol';
import type { AnyActionName, PayloadFor } from '../actions.ts';
import { HIRE_OPTIONS, type HireOptions, type TypedHireOptions } from './hire-options.ts';
import { requireOptions } from '../option-names.ts';
import type { Stored } from '../json-type.ts';
import { pause } from '../pause.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { asError } from './as-error.ts';
import { requireHandler, requireObject, requireText } from './arguments.ts';
import { exactValue } from './exact-value.ts';
import { hireOnce } from './hire.ts';
import type { Hired } from './hired.ts';
import { Records, type AgentState } from './home.ts';
import { actOnce } from './own-acts.ts';
import { ownId } from './own-ids.ts';
import { SLOW_POLL, type AgentParts, type WorkOrder } from './parts.ts';
import { unlessStopped } from './poller.ts';
import { RETRY_OPTIONS, retryPause, type RetryPolicy } from './retry-policy.ts';

const MOST_STEPS = 200;
/** Of the canonical JSON of all steps of an order. */
const MOST_BYTES = 1_048_576;
const LONGEST_NAME = 100;

/** Members of a job that let it continue after a crash. */
export interface DurableJob {
  /** When the chain takes the order away, by the clock of the chain. A result must be committed before. */
  deadline: Date;
  /**
   * Aborted when the handler has to end. The `code` of its reason is JOB_DEADLINE, JOB_LOST if the order is no longer
   * this agent's, AGENT_STOPPED, or JOB_ENDED once the handler has returned or thrown.
   */
  signal: AbortSignal;
  /**
   * Runs a function once and records its result, a JSON value or undefined. After a crash, a restart or a failed
   * attempt it returns the recorded result. A step that a crash interrupts runs again.
   * @param name unique within the handler
   * @throws AgentError STEP_REPEATED, STEP_LIMIT, VALUE_NOT_JSON with the path of the fault; the reason of `signal`
   */
  step: <Result>(
    name: string,
    work: () => Stored<Result>,
    retry?: RetryPolicy,
  ) => Promise<Awaited<Result>>;
  /**
   * Hires another agent once for this step, as `agent.hire` does. Later runs of the handler get the same order,
   * whatever terms they give.
   * @throws AgentError as `step` and `agent.hire`
   */
  hire: {
    <Result>(name: string, terms: Unbounded<TypedHireOptions<Result>>): Promise<Hired<Result>>;
    (name: string, terms: Unbounded<HireOptions>): Promise<Hired>;
  };
  /**
   * Executes an action once for this step, such as a payment: `job.act('tip', 'transfer', { to, amount })`. Later runs
   * of the handler get the same receipt, whatever payload they give.
   * @throws AgentError as `step` and `agent.act`
   */
  act: <Name extends AnyActionName>(
    name: string,
    action: Name,
    payload: PayloadFor<Name>,
  ) => Promise<Receipt>;
  /** Returns an idempotency key for a step. It follows from a secret of the agent, order, acceptance and name. */
  key: (name: string) => string;
}

/** The step gives the id, and the job the signal. */
type Unbounded<Options> = Omit<Options, 'id' | 'signal' | 'timeout'>;

const { id: _id, signal: _signal, timeout: _timeout, ...TERMS } = HIRE_OPTIONS;

type Kind = 'step' | 'own' | 'hire';

interface Step extends JsonObject {
  name: string;
  kind: Kind;
  /** A list of the result; empty if the step returned nothing. */
  result: [] | [JsonValue];
}

interface StepFacts {
  orderId: string;
  acceptance: string;
  /**
   * Makes the ids of the steps, also if the keys of the agent change meanwhile. Older records lack it. Their steps keep
   * their ids, because the agent may have acted under them.
   */
  secret?: string;
}

type StepsRecord = StepFacts & JsonObject & { steps: Step[] };

/** Recorded steps of an order, in one file. */
export class StepLog {
  private readonly agentId: string;
  private readonly records: Records<StepsRecord>;
  private facts: StepFacts;
  private readonly steps = new Map<string, Step>();
  private writing: Promise<unknown> = Promise.resolve();

  private constructor(parts: AgentParts, order: WorkOrder) {
    const { agentId, idSecret: secret } = parts;
    this.agentId = agentId;
    this.facts = { orderId: order.orderId, acceptance: acceptanceOf(order), secret };
    this.records = recordsOf(parts.state);
  }

  /** Reads the steps of this acceptance. Those of an earlier one are dropped. */
  static async open(parts: AgentParts, order: WorkOrder): Promise<StepLog> {
    const log = new StepLog(parts, order);
    const record = await log.records.get(order.orderId);
    if (!record) return log;
    if (record.acceptance !== acceptanceOf(order)) {
      await forgetSteps(parts, order.orderId);
      return log;
    }
    const { steps, ...facts } = record;
    log.facts = facts;
    for (const step of steps) log.steps.set(step.name, step);
    return log;
  }

  get(name: string): Step | undefined {
    return this.steps.get(name);
  }

  key(name: string): string {
    return keyOf(this.agentId, this.facts, name);
  }

  /** @throws AgentError STEP_LIMIT */
  requireRoom(name: string): void {
    if (this.steps.size >= MOST_STEPS)
      throw new AgentError('STEP_LIMIT', `${name}: ${MOST_STEPS} steps`);
  }

  /** @throws AgentError STEP_LIMIT */
  async keep(step: Step): Promise<void> {
    this.requireRoom(step.name);
    this.steps.set(step.name, step);
    const { orderId } = this.facts;
    const record = { ...this.facts, steps: [...this.steps.values()] };
    try {
      if (utf8Bytes(canonicalize(record)).length > MOST_BYTES)
        throw new AgentError('STEP_LIMIT', `${step.name}: ${MOST_BYTES} bytes`);
      this.writing = this.writing.catch(() => {}).then(() => this.records.put(orderId, record));
      await this.writing;
    } catch (error) {
      this.steps.delete(step.name);
      throw error;
    }
  }
}

const recordsOf = (state: AgentState): Records<StepsRecord> => new Records(state, 'steps');

/** Removes the steps of an order, and the acts that only they can repeat. */
export async function forgetSteps(parts: AgentParts, orderId: string): Promise<void> {
  const records = recordsOf(parts.state);
  const record = await records.get(orderId);
  if (!record) return;
  for (const { name, kind } of record.steps)
    if (kind !== 'step') await parts.outbox.forget(`${kind}/${keyOf(parts.agentId, record, name)}`);
  await records.delete(orderId);
}

const acceptanceOf = ({ acceptedAt }: WorkOrder): string =>
  acceptedAt ? `${acceptedAt.height}.${acceptedAt.index}` : '';

function keyOf(agentId: string, { orderId, acceptance, secret }: StepFacts, step: string): string {
  const facts = { orderId, acceptance, step };
  return secret === undefined
    ? `job-${hashValue({ agentId, ...facts }).slice(0, 32)}`
    : `job-${ownId(secret, facts)}`;
}

/**
 * Returns the durable members of a job for one run of its handler.
 * @param signal aborted before the next run begins
 */
export function durable(
  parts: AgentParts,
  order: WorkOrder,
  log: StepLog,
  signal: AbortSignal,
): DurableJob {
  const used = new Set<string>();
  const { orderId } = order;

  const once = async (
    name: string,
    kind: Kind,
    work: () => unknown,
    retry: RetryPolicy = {},
  ): Promise<JsonValue | undefined> => {
    signal.throwIfAborted();
    requireText('name', name);
    if (name.length > LONGEST_NAME)
      throw new AgentError('STEP_LIMIT', `a name of ${name.length} characters`);
    const known = log.get(name);
    if (used.has(name) || (known && known.kind !== kind))
      throw new AgentError('STEP_REPEATED', name);
    used.add(name);
    if (known) {
      parts.events.note('step', { orderId, step: name, outcome: 'known', reason: null });
      return known.result[0];
    }
    log.requireRoom(name);
    const failed = (error: unknown): void => {
      const { message: reason } = asError(error);
      parts.events.note('step', { orderId, step: name, outcome: 'failed', reason });
    };
    const returned = await retried(work, retry, signal, failed);
    const result: Step['result'] =
      returned === undefined ? [] : [exactValue(returned, notJson(name))];
    parts.reach('step.done', name);
    signal.throwIfAborted();
    await log.keep({ name, kind, result });
    parts.events.note('step', { orderId, step: name, outcome: 'recorded', reason: null });
    parts.reach('step.kept', name);
    return result[0];
  };

  return {
    deadline: new Date(order.deadline?.time ?? NaN),
    signal,
    step: async (name, work, retry = {}) => {
      requireHandler('step', work);
      requireOptions('step', retry, RETRY_OPTIONS);
      return (await once(name, 'step', work, retry)) as never;
    },
    hire: async <Result>(
      name: string,
      options: Unbounded<HireOptions | TypedHireOptions<Result>>,
    ) => {
      requireOptions('hire', options, TERMS);
      const { returns, ...given } = options as TypedHireOptions<Result>;
      const terms = (await once(name, 'hire', () => given)) as unknown as HireOptions;
      const types = returns === undefined ? {} : { returns };
      return hireOnce<Result>(parts, { ...terms, ...types }, { id: log.key(name), isNamed: true });
    },
    act: async (name, action, payload) => {
      requireText('action', action);
      requireObject('payload', payload);
      const given = (await once(name, 'own', () => ({ action, payload }))) as {
        action: string;
        payload: object;
      };
      return actOnce(parts, given.action, given.payload, { id: log.key(name), isNamed: true });
    },
    key: (name) => log.key(name),
  };
}

const notJson =
  (name: string) =>
  (detail: string, options: { data?: object }): AgentError =>
    new AgentError('VALUE_NOT_JSON', `step ${name}: ${detail}`, options as object);

async function retried(
  work: () => unknown,
  { attempts = 1, ...pauses }: RetryPolicy,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      failed(error);
      if (attempt >= attempts || codeOf(error) === 'NOT_RETRYABLE') throw error;
      await pause(retryPause(pauses, attempt), signal);
      signal.throwIfAborted();
    }
  }
}

/**
 * Runs a handler until it ends, the deadline passes, the order is lost or the agent stops.
 * @throws the reason of the signal; the error of the handler
 */
export async function whileOwned<Result>(
  { poller, time, retryingClient, agentId, events }: AgentParts,
  order: WorkOrder,
  handler: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { orderId } = order;
  const controller = new AbortController();
  const { signal } = controller;
  const end = (error: unknown): void => controller.abort(error);
  poller.signal.throwIfAborted();
  const forget = poller.onStop(() => end(poller.signal.reason));
  const mine = poller.until(signal);
  const due = Date.parse(order.deadline?.time ?? '');

  const untilDue = async (): Promise<void> => {
    while (!signal.aborted) {
      const { wakes } = mine;
      const left = due - time.now();
      if (left <= 0) end(new AgentError('JOB_DEADLINE', orderId));
      await mine.wait(left, wakes);
    }
  };
  const untilLost = async (): Promise<void> => {
    for (let { wakes } = mine; ;) {
      await mine.wait(SLOW_POLL, wakes);
      if (signal.aborted) return;
      ({ wakes } = mine);
      let now: WorkOrder | null;
      try {
        now = await retryingClient.order(orderId);
      } catch (error) {
        if (!signal.aborted) events.warn(error, orderId);
        continue;
      }
      if (isHeld(now, order, agentId)) continue;
      const released = now?.releasedBy.includes(agentId) === true ? 'RELEASED' : null;
      const reason = now?.reason ?? released ?? now?.status ?? 'UNKNOWN';
      end(new AgentError('JOB_LOST', `${orderId}: ${reason}`, { data: { reason } }));
    }
  };
  if (!Number.isNaN(due)) void untilDue();
  void untilLost();
  try {
    return await unlessStopped(mine, handler(signal));
  } catch (error) {
    throw signal.aborted ? (signal.reason as Error) : error;
  } finally {
    forget();
    end(new AgentError('JOB_ENDED', orderId));
  }
}

const isHeld = (now: WorkOrder | null, before: WorkOrder, agentId: string): boolean =>
  now !== null &&
  now.status === 'ACCEPTED' &&
  now.workerId === agentId &&
  acceptanceOf(now) === acceptanceOf(before);
