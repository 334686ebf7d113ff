/** One job, from acceptance to payment. Each turn reads the order from the chain and does the next step. */
import { judgeInTime, sealContent, type WorkScope } from '@netd/formats';
import {
  canonicalize,
  hashValue,
  utf8Bytes,
  sha256Hex,
  type JsonObject,
  type Receipt,
} from '@netd/protocol';
import { NetError } from '../http.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { exactValue } from './exact-value.ts';
import { findingsOf, reasonsAgainst } from './findings.ts';
import { Records } from './home.ts';
import { SLOW_POLL, type AgentParts, type WorkOrder } from './parts.ts';
import { backoff, type Poller } from './poller.ts';
import { Rejections } from './rejections.ts';
import { bondBeyondBalance, readScope, scopeBytesOf, type WorkOffer } from './work-offer.ts';
import { blobUri } from './origins.ts';
import { disputeOnce, isSettleable, mustAnswer, releaseOnce, settleWhenDue } from './order-acts.ts';

export interface Job extends WorkOffer {
  orderId: string;
  /** Counts from 1. */
  attempt: number;
  /** @throws AgentError INPUT_UNKNOWN, BLOB_NOT_FOUND, BLOB_UNAVAILABLE */
  input: (name: string) => Promise<Uint8Array>;
  /** Aborted when the agent stops. */
  signal: AbortSignal;
}

/** Text, bytes, or a value for canonical JSON. */
export type JobResult = string | Uint8Array | object;
export type JobHandler = (job: Job) => JobResult | Promise<JobResult>;

export interface JobRecord extends JsonObject {
  orderId: string;
  /** given-up: all attempts failed, and the order could not be given back. The next start tries again. */
  step: 'chosen' | 'accepted' | 'kept' | 'released' | 'given-up';
  attempts: number;
  deliverableHash: string | null;
  /** Hash of the checked terms. */
  terms?: string;
}

const MAX_ATTEMPTS = 3;
/** Tries to fetch the requester's key from its store. */
const KEY_TRIES = 6;
/** Milliseconds between checks that stores have the result. */
const STORED_POLL = 30_000;

/** A new start resets the attempts. */
export const hasGivenUp = ({ step, attempts }: JobRecord): boolean =>
  step === 'given-up' || (step === 'accepted' && attempts >= MAX_ATTEMPTS);

export class JobRunner {
  private readonly parts: AgentParts;
  private readonly handler: JobHandler;
  readonly rejections = new Rejections();
  readonly records: Records<JobRecord>;

  constructor(parts: AgentParts, handler: JobHandler) {
    this.parts = parts;
    this.handler = handler;
    this.records = new Records(parts.state, 'job');
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
   * Continues until the order has ended.
   * @param busy called with false once the handler is done
   */
  async run(record: JobRecord, busy: (working: boolean) => void): Promise<void> {
    const { retryingClient, poller, events } = this.parts;
    const { orderId } = record;
    let failures = 0;
    while (!poller.signal.aborted) {
      const { wakes } = poller;
      try {
        const order = await retryingClient.order(orderId);
        const wait = order === null ? null : await this.turn(record, order, busy);
        if (wait === null) return await this.end(orderId);
        failures = 0;
        if (wait > 0) await poller.wait(wait, wakes);
      } catch (error) {
        if (poller.signal.aborted) return;
        // An unexpected refusal, or stores that accept no blobs.
        events.warn(error, orderId);
        await poller.pause(backoff(failures++)).catch(() => {});
      }
    }
  }

  /** @returns milliseconds until the next check, 0 for at once; null if the order has ended */
  private async turn(
    record: JobRecord,
    order: WorkOrder,
    busy: (working: boolean) => void,
  ): Promise<number | null> {
    const { agentId, events } = this.parts;
    const { orderId, status, workerId } = order;
    if (status === 'OPEN') {
      if (record.step === 'chosen') return this.accept(record, order);
      this.wentToOthers(order);
      return null;
    }
    if (workerId !== agentId) {
      const reason = 'another agent was faster';
      if (record.step !== 'chosen') this.wentToOthers(order);
      else if (status === 'ACCEPTED')
        events.emit('skipped', { orderId, code: 'WORK_ORDER_NOT_OPEN', reason });
      return null;
    }
    if (status === 'PAID') {
      this.parts.reach('work.settled');
      this.rejections.paid(order.jobType);
      events.emit('paid', {
        orderId,
        amount: order.funding,
        receipt: this.receipts.get(orderId) ?? null,
      });
      return null;
    }
    if (status === 'REJECTED') {
      await this.rejected(order);
      return null;
    }
    if (status === 'ACCEPTED') {
      if (record.step === 'chosen') await this.note(record, { step: 'accepted' });
      if (record.step === 'accepted') await this.handle(record, order);
      if (record.step === 'released') return 0;
      if (record.step === 'given-up') {
        busy(false);
        return SLOW_POLL;
      }
      await this.deliver(record, order);
      busy(false);
      return 0;
    }
    busy(false);
    await this.keepStored(record);
    if (mustAnswer(order, this.parts.agentId)) await this.answer(order);
    return isSettleable(order) ? this.settle(order) : SLOW_POLL;
  }

  /** Without an answer, the requester would get the result for nothing. */
  private async answer({ orderId }: WorkOrder): Promise<void> {
    try {
      await disputeOnce(this.parts, orderId, 'The result is what the scope asks for.');
    } catch (error) {
      if (!(error instanceof NetError)) throw error;
      this.parts.events.warn(error, `the answer to the dispute about ${orderId}`);
    }
  }

  private async accept(record: JobRecord, order: WorkOrder): Promise<number | null> {
    const { agentId, outbox, events } = this.parts;
    const { orderId, workerBond } = order;
    const bond = workerBond > 0 ? { workerBond } : {};
    if (record.terms !== undefined && record.terms !== termsOf(order)) {
      const { code, message: reason } = new AgentError('ORDER_CHANGED', orderId);
      events.emit('skipped', { orderId, code, reason });
      this.refusals.set(orderId, code);
      return null;
    }
    try {
      await outbox.act(`accept/${orderId}`, 'acceptWork', { orderId, agentId, ...bond });
    } catch (error) {
      if (!(error instanceof NetError)) throw error;
      const isDear = error.code === 'INSUFFICIENT_BALANCE';
      const { code, message: reason } = isDear ? bondBeyondBalance(workerBond) : error;
      events.emit('skipped', { orderId, code, reason });
      this.refusals.set(orderId, code);
      return null;
    }
    await this.note(record, { step: 'accepted' });
    events.emit('accepted', { orderId });
    return 0;
  }

  /** An order is lost only by release or a missed deadline. */
  private wentToOthers({ orderId, releasedBy }: WorkOrder): void {
    const { agentId, events } = this.parts;
    const reason = releasedBy.includes(agentId) ? 'RELEASED' : 'DELIVERY_TIMEOUT';
    events.emit('rejected', { orderId, reason, findings: [] });
    // The chain refuses an agent that takes back a released order.
    if (reason === 'RELEASED') this.refusals.set(orderId, reason);
  }

  /** Pauses the job type after several rejections in a row. */
  private async rejected(order: WorkOrder): Promise<void> {
    const { events, origins } = this.parts;
    const { orderId, jobType } = order;
    const findings = await findingsOf(order, (hash) => origins.fetch(hash));
    const reason = order.reason ?? 'REJECTED';
    events.emit('rejected', { orderId, reason, findings });
    if (reason !== 'VERIFICATION_REJECTED') return;
    const reasons = this.rejections.rejected(jobType, reasonsAgainst(findings));
    if (reasons === null) return;
    const goOn = `Correct the handler and start the agent again, or call agent.resumeWork(${JSON.stringify(jobType)}).`;
    events.emit('paused', { jobType, reasons, goOn });
  }

  /** Why the chain refused orders, for the next search. */
  readonly refusals = new Map<string, string>();
  private readonly receipts = new Map<string, Receipt>();
  private readonly checkedAt = new Map<string, number>();

  private async handle(record: JobRecord, order: WorkOrder): Promise<void> {
    const { poller, events, reach, state } = this.parts;
    const { orderId } = order;
    const { scope, sealed } = await this.scopeOf(order);
    while (record.attempts < MAX_ATTEMPTS) {
      const attempt = record.attempts + 1;
      const job: Job = {
        orderId,
        order,
        scope,
        sealed,
        attempt,
        input: (name) => inputOf(this.parts, { order, scope }, name),
        signal: poller.signal,
      };
      try {
        const result = bytesOf(await unlessStopped(this.handler(job), poller));
        await requireMet(scope, result);
        reach('work.handled');
        const blob = sealed ? await this.sealed(order, result) : result;
        await state.put(fileOf('result', orderId), blob);
        await this.note(record, { step: 'kept', deliverableHash: sha256Hex(blob) });
        reach('work.kept');
        return;
      } catch (error) {
        poller.signal.throwIfAborted();
        await this.note(record, { attempts: attempt });
        events.emit('failed', { orderId, attempt, error: error as Error });
        if (attempt < MAX_ATTEMPTS) await poller.pause(backoff(attempt));
      }
    }
    const { code, message } = new AgentError('JOB_FAILED', orderId);
    events.emit('warning', { code, message });
    try {
      await releaseOnce(this.parts, orderId);
      await this.note(record, { step: 'released' });
    } catch (error) {
      // A session may lack the action.
      if (!(error instanceof NetError)) throw error;
      await this.note(record, { step: 'given-up' });
    }
  }

  /** Retries if a busy store delays the key, so that the handler's attempt is not lost. */
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

  private async deliver(record: JobRecord, order: WorkOrder): Promise<void> {
    const { events, state } = this.parts;
    const { orderId } = order;
    const blob = await state.get(fileOf('result', orderId));
    if (blob === null || record.deliverableHash === null) {
      await this.note(record, { step: 'accepted', deliverableHash: null });
      return;
    }
    const scope = await state.get(fileOf('scope', orderId));
    const hash = await submitResult(this.parts, order, blob, scope);
    events.emit('delivered', { orderId, deliverableHash: hash });
  }

  /** Verifiers need the result, so stores it again if a store has lost it. */
  private async keepStored({ orderId, deliverableHash }: JobRecord): Promise<void> {
    const { origins, state } = this.parts;
    if (deliverableHash === null) return;
    const now = Date.now();
    if (now - (this.checkedAt.get(orderId) ?? 0) < STORED_POLL) return;
    this.checkedAt.set(orderId, now);
    if (await origins.isEverywhere(deliverableHash)) return;
    const blob = await state.get(fileOf('result', orderId));
    if (blob !== null) await origins.put(blob);
  }

  private async settle(order: WorkOrder): Promise<number> {
    const { wait, receipt } = await settleWhenDue(this.parts, order);
    if (receipt) this.receipts.set(order.orderId, receipt);
    return wait;
  }

  private async scopeOf(order: WorkOrder): Promise<{ scope: WorkScope; sealed: boolean }> {
    const { state } = this.parts;
    const { orderId } = order;
    const bytes =
      (await state.get(fileOf('scope', orderId))) ?? (await scopeBytesOf(this.parts, order));
    return readScope(this.parts, order, bytes);
  }

  private async note(record: JobRecord, change: Partial<JobRecord>): Promise<void> {
    Object.assign(record, change);
    await this.records.put(record.orderId, record);
  }

  private async end(orderId: string): Promise<void> {
    const { state, outbox } = this.parts;
    for (const step of ['accept', 'submit', 'settle', 'release'])
      await outbox.forget(`${step}/${orderId}`);
    await this.records.delete(orderId);
    await state.delete(fileOf('scope', orderId));
    await state.delete(fileOf('result', orderId));
    this.receipts.delete(orderId);
    this.checkedAt.delete(orderId);
  }
}

function termsOf(order: WorkOrder): string {
  const { orderId, requesterId, scopeHash, funding, workerBond, validationPolicy } = order;
  return hashValue({ orderId, requesterId, scopeHash, funding, workerBond, validationPolicy });
}

const fileOf = (kind: 'scope' | 'result', orderId: string): string =>
  `${kind}-${sha256Hex(orderId).slice(0, 40)}.bin`;

/**
 * Stores the deliverable and commits its hash.
 * @param scope stored beside the result, so that a requester cannot stop verification by removing its copy
 * @throws AgentError BLOB_NOT_STORED; NetError with the code of a refusal
 */
export async function submitResult(
  { agentId, outbox, origins, reach }: AgentParts,
  { orderId, validationPolicy }: WorkOrder,
  blob: Uint8Array,
  scope: Uint8Array | null,
): Promise<string> {
  const { hash, places } = await origins.put(blob);
  // The delivery does not depend on it.
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

/** @throws AgentError INPUT_UNKNOWN, BLOB_NOT_FOUND, BLOB_UNAVAILABLE */
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

/** @throws AgentError REQUESTER_HAS_NO_KEY, BLOB_UNAVAILABLE */
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

/** @throws AgentError RESULT_INVALID */
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

/** @throws AgentError RESULT_UNMET if verifiers would reject it; not if judging takes too long */
export async function requireMet(scope: WorkScope, result: Uint8Array): Promise<void> {
  const judgement = await judgeInTime(scope, result);
  if (judgement?.verdict !== 'unmet') return;
  const reasons = judgement.conditions
    .filter((one) => one.verdict === 'unmet')
    .map(({ reason }) => reason);
  throw new AgentError('RESULT_UNMET', reasons.join('; '));
}

/** Does not wait for the handler once the agent stops. */
async function unlessStopped<Result>(
  work: Result | Promise<Result>,
  poller: Poller,
): Promise<Result> {
  let forget = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    forget = poller.onStop(() => reject(poller.signal.reason as Error));
  });
  try {
    poller.signal.throwIfAborted();
    return await Promise.race([work, stopped]);
  } finally {
    forget();
  }
}
