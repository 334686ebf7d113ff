/** One job, from acceptance to payment. Each turn reads the order from the chain and takes the next step. */
import { judgeInTime, sealContent, type WorkScope } from '@netd/formats';
import {
  canonicalize,
  contestBondOf,
  hashValue,
  utf8Bytes,
  sha256Hex,
  type JsonObject,
} from '@netd/protocol';
import { MACHINES } from '../generated/machines.ts';
import { advance, type Effects, type Facts } from './advance.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { exactValue } from './exact-value.ts';
import { findingsOf, reasonsAgainst } from './findings.ts';
import { Records } from './home.ts';
import { durable, forgetSteps, StepLog, whileOwned, type DurableJob } from './job-steps.ts';
import type { AgentParts, WorkOrder } from './parts.ts';
import { backoff } from './poller.ts';
import { Rejections } from './rejections.ts';
import { retryPause, type RetryPolicy } from './retry-policy.ts';
import { bondBeyondBalance, readScope, scopeBytesOf, type WorkOffer } from './work-offer.ts';
import type { TypeSchema } from './type-schema.ts';
import { checkedAs, hasInput, INPUT, parsedAs } from './typed-work.ts';
import { blobUri } from './origins.ts';
import { disputeOnce, observed, proveOnce, releaseOnce, settleOnce } from './order-acts.ts';

/** A job for a handler. */
export interface Job<Input = undefined> extends WorkOffer, DurableJob {
  /** The order. */
  orderId: string;
  /** The parsed input of an order for a handler with a type of input. Untrusted content. */
  data: Input;
  /** Count of attempts, from 1. */
  attempt: number;
  /** @throws AgentError INPUT_UNKNOWN, BLOB_NOT_FOUND, BLOB_UNAVAILABLE */
  input: (name: string) => Promise<Uint8Array>;
}

/** Text, bytes, or a value for canonical JSON. */
export type JobResult = string | Uint8Array | object;
/** A handler of jobs. */
export type JobHandler = (job: Job) => JobResult | Promise<JobResult>;

/** Types of an order's input and result, and how often its handler is called. */
export interface JobTypes {
  job?: TypeSchema | undefined;
  returns?: TypeSchema | undefined;
  /** Calls of the handler. */
  retry?: RetryPolicy | undefined;
}

export interface JobRecord extends JsonObject {
  orderId: string;
  /** `given-up`: all attempts failed, and the order could not be given back. The next start tries again. */
  step: 'chosen' | 'accepted' | 'kept' | 'released' | 'given-up';
  attempts: number;
  deliverableHash: string | null;
  terms?: string;
}

/** Events that end a job. */
const OUTCOMES = new Set(['paid', 'rejected', 'skipped']);
const HANDLER_ATTEMPTS = 3;
const KEY_TRIES = 6;
const STORED_POLL = 30_000;

/** Says that a tick has left a job to the next one. */
export const RESTING = Symbol('resting');

interface JobFacts extends Facts {
  order: WorkOrder;
  record: JobRecord;
  offer: { scope: WorkScope; sealed: boolean };
  busy: (working: boolean) => void;
  /** Name of the event that has ended the job. */
  ended?: string;
  outcome?: string;
  error?: Error;
}

export class JobRunner {
  private readonly parts: AgentParts;
  private readonly handler: JobHandler;
  private readonly typesOf: (order: WorkOrder) => JobTypes;
  readonly rejections = new Rejections();
  readonly records: Records<JobRecord>;

  constructor(parts: AgentParts, handler: JobHandler, typesOf: (order: WorkOrder) => JobTypes) {
    this.parts = parts;
    this.handler = handler;
    this.typesOf = typesOf;
    this.records = new Records(parts.state, 'job');
  }

  /** True once the handler has used all its attempts. */
  private isSpent(attempts: number, order: WorkOrder | null): boolean {
    return attempts >= this.attemptsOf(order);
  }

  private attemptsOf(order: WorkOrder | null): number {
    const { attempts = HANDLER_ATTEMPTS } = (order && this.typesOf(order).retry) ?? {};
    return attempts;
  }

  async choose(order: WorkOrder, scope: Uint8Array): Promise<JobRecord> {
    const { orderId } = order;
    const record: JobRecord = {
      orderId,
      step: 'chosen',
      attempts: 0,
      deliverableHash: null,
      terms: termsOf(order),
    };
    await this.parts.state.put(fileOf('scope', orderId), scope);
    await this.records.put(orderId, record);
    this.parts.reach('work.chosen');
    return record;
  }

  /**
   * Returns the parsed input of an order; undefined for a handler without a type of input.
   * @throws AgentError INPUT_INVALID, BLOB_UNAVAILABLE
   */
  async dataOf(order: WorkOrder, scope: WorkScope): Promise<unknown> {
    const { job } = this.typesOf(order);
    if (!job) return undefined;
    if (!hasInput(scope)) throw new AgentError('INPUT_INVALID', `no input is called ${INPUT}`);
    return parsedAs(job, await inputOf(this.parts, { order, scope }, INPUT), 'INPUT_INVALID');
  }

  /**
   * Continues until the order has ended, within a span.
   * @param busy called with false once the handler is done
   * @returns `next` of the machine; undefined if a slot is free; RESTING if the next tick continues
   */
  async run(record: JobRecord, busy: JobFacts['busy']): Promise<unknown> {
    const { telemetry } = this.parts;
    const facts: Facts = { receipt: null };
    return telemetry.span('job', { 'netsdk.order.id': record.orderId }, async (span) => {
      const next = await this.continue(record, busy, facts);
      const { order, outcome = 'interrupted', error } = facts as Partial<JobFacts>;
      if (order) span?.setAttribute('netsdk.skill', order.jobType);
      span?.setAttribute('netsdk.outcome', outcome);
      if (outcome === 'failed' && error) span?.setStatus({ code: 2, message: error.message });
      return next;
    });
  }

  private async continue(
    record: JobRecord,
    busy: JobFacts['busy'],
    facts: Facts,
  ): Promise<unknown> {
    const { parts } = this;
    const { retryingClient, poller, events } = parts;
    const { orderId } = record;
    let failures = 0;
    let isCounted = false;
    // Each tick is a start, so it changes nothing.
    let isFirst = !poller.ticks;
    while (!poller.signal.aborted) {
      const { wakes } = poller;
      try {
        const order = await retryingClient.order(orderId);
        // Start again, because the handler may have been corrected.
        if (isFirst && record.step !== 'released' && this.isSpent(record.attempts, order))
          Object.assign(record, { step: 'accepted', attempts: 0 });
        isFirst = false;
        const isDue: boolean =
          order?.status === 'ACCEPTED' && record.step === 'accepted' && !isCounted;
        if (isDue && !poller.take()) return RESTING;
        isCounted ||= isDue;
        const seen = order === null ? { status: null } : observed(parts, order);
        const spent = this.isSpent(record.attempts, order) || null;
        Object.assign(facts, { ...seen, order, kept: null, ...record, record, busy, spent });
        const wait = await advance(parts, MACHINES.job, facts as JobFacts, this);
        if (wait === null) {
          await this.end(orderId);
          this.measure(facts as JobFacts);
          return facts['next'];
        }
        failures = 0;
        if (wait > 0 && !(await poller.rest(wait, wakes))) return RESTING;
      } catch (error) {
        if (poller.signal.aborted) break;
        events.warn(error, orderId);
        await poller.pause(backoff(failures++)).catch(() => {});
      }
    }
    return undefined;
  }

  /** Counts a job that has ended. A start after a stop continues the others, which count then. */
  private measure(facts: JobFacts): void {
    const { ended = 'lost', order, reason } = facts;
    const { telemetry } = this.parts;
    facts.outcome = ended === 'rejected' && reason === 'RELEASED' ? 'failed' : ended;
    const skill = order?.jobType ?? 'unknown';
    telemetry.count('jobs', 1, { 'netsdk.outcome': facts.outcome, 'netsdk.skill': skill });
    if (facts.outcome === 'paid')
      telemetry.count('earned', order.funding, { 'netsdk.skill': skill });
  }

  emit(event: string, facts: Facts): void {
    if (OUTCOMES.has(event)) facts['ended'] = event;
    const message = `${String(facts['orderId'])}: ${String(facts['reason'])}`;
    this.parts.events.emitFrom(event, { ...facts, message });
  }

  async note(change: Partial<JobRecord>, { record }: Pick<JobFacts, 'record'>): Promise<void> {
    Object.assign(record, change);
    await this.records.put(record.orderId, record);
  }

  readonly effects: Effects<JobFacts> = {
    accept: async ({ order, record }) => {
      const { agentId, outbox } = this.parts;
      const { orderId, workerBond } = order;
      const bond = workerBond > 0 ? { workerBond } : {};
      if (record.terms !== undefined && record.terms !== termsOf(order))
        throw new AgentError('ORDER_CHANGED', orderId);
      await outbox
        .act(`accept/${orderId}`, 'acceptWork', { orderId, agentId, ...bond })
        .catch((error: unknown) => {
          const isDear = codeOf(error) === 'INSUFFICIENT_BALANCE';
          throw isDear ? bondBeyondBalance(workerBond) : error;
        });
    },

    read: async ({ order }) => ({ offer: await this.scopeOf(order) }),

    paid: ({ order }) => {
      this.parts.reach('work.settled');
      this.rejections.paid(order.jobType);
      return { amount: order.funding };
    },

    rejected: async ({ order }) => {
      const { jobType, reason } = order;
      const findings = await findingsOf(order, (hash) => this.parts.origins.fetch(hash));
      const isJudged = reason === 'VERIFICATION_REJECTED';
      const reasons = isJudged ? this.rejections.rejected(jobType, reasonsAgainst(findings)) : null;
      const goOn = `Correct the handler and start the agent again, or call agent.resumeWork(${JSON.stringify(jobType)}).`;
      return { findings, reason: reason ?? 'REJECTED', reasons, goOn };
    },

    handle: async (facts) => {
      const attempt = facts.record.attempts + 1;
      facts['attempt'] = attempt;
      try {
        return { deliverableHash: await this.handled(facts) };
      } catch (error) {
        const isFinal = codeOf(error) === 'NOT_RETRYABLE';
        const used = isFinal ? this.attemptsOf(facts.order) : attempt;
        Object.assign(facts, { used, spent: this.isSpent(used, facts.order) || null });
        throw error;
      }
    },

    release: async ({ order: { orderId } }) => {
      this.parts.events.warn(new AgentError('JOB_FAILED', orderId));
      await releaseOnce(this.parts, orderId);
    },

    deliver: async ({ order, record, busy }) => {
      const { state, reach } = this.parts;
      const { orderId } = order;
      const blob = await state.get(fileOf('result', orderId));
      if (blob === null || record.deliverableHash === null) return { deliverableHash: null };
      reach('work.kept');
      const scope = await state.get(fileOf('scope', orderId));
      const deliverableHash = await submitResult(this.parts, order, blob, scope);
      busy(false);
      return { deliverableHash };
    },

    free: ({ busy }) => busy(false),

    /** Stores the result again if a store has lost it, because verifiers need it. */
    keep: async (facts) => {
      const { origins, state } = this.parts;
      const { orderId, deliverableHash } = facts.record;
      facts.busy(false);
      const now = Date.now();
      if (deliverableHash === null || now - Number(facts['checkedAt'] ?? 0) < STORED_POLL) return;
      facts['checkedAt'] = now;
      if (await origins.isEverywhere(deliverableHash)) return;
      const blob = await state.get(fileOf('result', orderId));
      if (blob !== null) await origins.put(blob);
    },

    verdict: async ({ order }) => ({
      findings: await findingsOf(order, (hash) => this.parts.origins.fetch(hash)),
      disputableUntil: order.disputableUntil?.time ?? '',
      bond: contestBondOf(order.funding),
    }),

    /** Proves a good result that the jury or the requester calls bad. */
    prove: async ({ order }) => {
      const blob = await this.parts.state.get(fileOf('result', order.orderId));
      const { scope, sealed } = await this.scopeOf(order);
      if (blob === null || sealed) return { proven: false };
      const judgement = await judgeInTime(scope, blob);
      const isMet = judgement?.verdict === 'met';
      return { proven: isMet && (await proveOnce(this.parts, order, scope, blob)) };
    },

    /** Without an answer, the requester would get the result for nothing. */
    answer: async ({ order: { orderId } }) =>
      void (await disputeOnce(this.parts, orderId, 'The result is what the scope asks for.')),

    settle: async ({ order }) => ({ receipt: await settleOnce(this.parts, order.orderId) }),
  };

  /** Calls the handler, and returns the hash of its result once that is on disk. */
  private async handled(facts: JobFacts): Promise<string> {
    const { parts } = this;
    const { order, record, offer } = facts;
    const { orderId } = order;
    const { scope, sealed } = offer;
    const { attempts } = record;
    const { returns, retry = {} } = this.typesOf(order);
    if (attempts > 0) await parts.poller.pause(retryPause(retry, attempts));
    const attempt = attempts + 1;
    const data = (await this.dataOf(order, scope)) as undefined;
    const input = (name: string): Promise<Uint8Array> => inputOf(parts, { order, scope }, name);
    const log = await StepLog.open(parts, order);
    const returned = await whileOwned(parts, order, async (signal) => {
      const steps = durable(parts, order, log, signal);
      return this.handler({ orderId, order, scope, sealed, attempt, data, input, ...steps });
    });
    const result = returns ? await typedBytes(returns, returned) : bytesOf(returned);
    await requireMet(scope, result);
    parts.reach('work.handled');
    const blob = sealed ? await this.sealed(order, result) : result;
    await parts.state.put(fileOf('result', orderId), blob);
    return sha256Hex(blob);
  }

  /** Retries while a busy store delays the key, so that the handler's attempt is not lost. */
  private async sealed(order: WorkOrder, result: Uint8Array): Promise<Uint8Array> {
    const { poller, events } = this.parts;
    for (let tries = 1; ; tries++) {
      try {
        return await sealResult(this.parts, order, result);
      } catch (error) {
        if (codeOf(error) !== 'BLOB_UNAVAILABLE' || tries === KEY_TRIES) throw error;
        events.emit('waiting', { for: `the key of ${order.requesterId}` });
        await poller.pause(backoff(tries));
      }
    }
  }

  private async scopeOf(order: WorkOrder): Promise<JobFacts['offer']> {
    const { state } = this.parts;
    const { orderId } = order;
    const bytes =
      (await state.get(fileOf('scope', orderId))) ?? (await scopeBytesOf(this.parts, order));
    return readScope(this.parts, order, bytes);
  }

  private async end(orderId: string): Promise<void> {
    const { state, outbox } = this.parts;
    for (const step of ['accept', 'submit', 'dispute', 'prove', 'settle', 'release'])
      await outbox.forget(`${step}/${orderId}`);
    await forgetSteps(this.parts, orderId);
    await this.records.delete(orderId);
    await state.delete(fileOf('scope', orderId));
    await state.delete(fileOf('result', orderId));
  }
}

function termsOf(order: WorkOrder): string {
  const { orderId, requesterId, scopeHash, funding, workerBond, validationPolicy } = order;
  const { acceptanceHash } = order;
  return hashValue({
    orderId,
    requesterId,
    scopeHash,
    ...(acceptanceHash === undefined ? {} : { acceptanceHash }),
    funding,
    workerBond,
    validationPolicy,
  });
}

const fileOf = (kind: 'scope' | 'result', orderId: string): string =>
  `${kind}-${sha256Hex(orderId).slice(0, 40)}.bin`;

/**
 * Stores the deliverable and commits its hash.
 * @param scope stored beside the result, so that a requester cannot stop verification by removing its copy
 */
export async function submitResult(
  { agentId, outbox, origins, reach }: AgentParts,
  { orderId, validationPolicy }: WorkOrder,
  blob: Uint8Array,
  scope: Uint8Array | null,
): Promise<string> {
  const { hash, places } = await origins.put(blob);
  if (scope !== null) await origins.put(scope).catch(() => {});
  reach('work.stored');
  const [first] = places;
  const proof = validationPolicy.proofTypes.includes('ARTIFACT_HASH')
    ? { proofType: 'ARTIFACT_HASH' }
    : {};
  await outbox.act(`submit/${orderId}`, 'submitWorkResult', {
    orderId,
    agentId,
    deliverableHash: hash,
    evidence: {
      schema: 'NET-WORK-EVIDENCE/1',
      ...proof,
      artifactHash: hash,
      ...(first ? { uri: blobUri(first.origin, hash) } : {}),
    },
  });
  return hash;
}

export async function inputOf(
  { peers }: AgentParts,
  { order, scope }: Pick<WorkOffer, 'order' | 'scope'>,
  name: string,
): Promise<Uint8Array> {
  const input = scope.inputs.find((one) => one.name === name);
  if (!input) throw new AgentError('INPUT_UNKNOWN', name);
  const bytes = await peers.blobOf(input.hash, order.requesterId);
  if (bytes === null) throw new AgentError('BLOB_NOT_FOUND', input.hash);
  return bytes;
}

export async function sealResult(
  { peers, chainId, agentId }: AgentParts,
  { orderId, requesterId }: WorkOrder,
  result: Uint8Array,
): Promise<Uint8Array> {
  const metadata = await peers.metadataOf(requesterId);
  if (!metadata) throw new AgentError('REQUESTER_HAS_NO_KEY', requesterId);
  const facts = { chainId, fromAgentId: agentId, toAgentId: requesterId, orderId } as const;
  const part = 'deliverable';
  return (await sealContent(result, [metadata.encryptionKey], { ...facts, part })).bytes;
}

export function bytesOf(result: unknown): Uint8Array {
  let bytes: Uint8Array | null = null;
  if (typeof result === 'string') bytes = utf8Bytes(result);
  else if (result instanceof Uint8Array) bytes = result;
  else if (typeof result === 'object' && result !== null)
    bytes = utf8Bytes(
      canonicalize(exactValue(result, (...why) => new AgentError('RESULT_INVALID', ...why))),
    );
  if (bytes === null || bytes.length === 0) throw new AgentError('RESULT_INVALID');
  return bytes;
}

/** Returns a result as JSON, text too, once its type accepts it. */
async function typedBytes(returns: TypeSchema, returned: unknown): Promise<Uint8Array> {
  const value = await checkedAs(returns, returned, 'RESULT_UNMET');
  const refused = (...why: [string, object]): AgentError =>
    new AgentError('RESULT_INVALID', ...why);
  return utf8Bytes(canonicalize(exactValue(value, refused)));
}

export async function requireMet(scope: WorkScope, result: Uint8Array): Promise<void> {
  const judgement = await judgeInTime(scope, result);
  if (judgement?.verdict !== 'unmet') return;
  const reasons = judgement.conditions
    .filter((one) => one.verdict === 'unmet')
    .map(({ reason }) => reason);
  throw new AgentError('RESULT_UNMET', reasons.join('; '));
}
