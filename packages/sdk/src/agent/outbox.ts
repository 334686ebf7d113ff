/**
 * What the agent does on the chain, each thing once. The signed envelope is on disk before it is sent, and only ever that
 * one is sent until its fate is known; so whatever dies in between, nothing happens twice.
 */
import {
  bytesToHex,
  canonicalize,
  isErrorCode,
  type JsonObject,
  type Receipt,
} from '@netd/protocol';
import type { AgentKey } from '../agent-key.ts';
import { NetError } from '../http.ts';
import { AgentError } from './agent-error.ts';
import type { ReachFailpoint } from './failpoints.ts';
import { Records, type AgentState } from './home.ts';
import type { RetryingClient } from './retrying-client.ts';

/** Who signs, and by what right. */
export interface Signer {
  actorId: string;
  chainId: string;
  key: AgentKey;
  /** The session whose key it is; null where it is the agent's own. */
  sessionId: string | null;
}

interface Act extends JsonObject {
  id: string;
  envelope: JsonObject & { nonce: string; action: string; payload: JsonObject };
  /** Null while its fate is not known. */
  receipt: JsonObject | null;
}

interface OutboxEvents {
  reach: ReachFailpoint;
  /** Called when the session is over. */
  ended: (error: AgentError) => void;
}

/** Refusals after which the session will do nothing any more. */
const SESSION_OVER = new Set(['SESSION_UNKNOWN', 'SESSION_EXPIRED']);

/** The error that tells the owner that a refusal ends the session; null where the session goes on. */
export const sessionEnd = (error: unknown): AgentError | null =>
  error instanceof NetError && SESSION_OVER.has(error.code)
    ? new AgentError('SESSION_ENDED', error.message, { cause: error })
    : null;

/** Heights an envelope stays valid: as `act` of the client. */
const LIFETIME = 600;

/** Operations whose last refusal is remembered. */
const REFUSED_KEPT = 1_000;

export class Outbox {
  private readonly retryingClient: RetryingClient;
  private readonly signer: Signer;
  private readonly acts: Records<Act>;
  private readonly reach: ReachFailpoint;
  private readonly ended: OutboxEvents['ended'];
  /**
   * Nonces of refused envelopes, by the operation: its next envelope has the same one. Should a refusal be a lie, the
   * chain executes only one of them.
   */
  private readonly refused = new Map<string, string>();
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(
    retryingClient: RetryingClient,
    signer: Signer,
    state: AgentState,
    { reach, ended }: OutboxEvents,
  ) {
    this.retryingClient = retryingClient;
    this.signer = signer;
    this.acts = new Records(state, 'act');
    this.reach = reach;
    this.ended = ended;
  }

  /**
   * Does it, or says that it was done.
   * @param id names it for good until `forget`: the same id and payload are one thing
   * @returns the receipt
   * @throws NetError with the code of a refusal: it was not done, and the id is free again; where it is not the node that
   *   answered, the envelope stays, and the same call sends it again
   */
  async act(id: string, action: string, payload: JsonObject): Promise<Receipt> {
    const before = this.running.get(id);
    const run = (async () => {
      await before?.catch(() => {});
      return this.doOnce(id, action, payload);
    })();
    this.running.set(id, run);
    try {
      return await run;
    } finally {
      if (this.running.get(id) === run) this.running.delete(id);
    }
  }

  /**
   * Learns the fate of what was signed and perhaps sent before.
   * @returns the receipt; null where there is nothing of this id, or it was refused
   * @throws NetError where something on the way answered, which settles nothing
   */
  async settle(id: string): Promise<Receipt | null> {
    const known = await this.acts.get(id);
    if (!known) return null;
    if (known.receipt) return known.receipt as unknown as Receipt;
    try {
      return await this.send(known);
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  }

  /** The act that was signed under this id, null where none was. */
  async signed(id: string): Promise<{ action: string; payload: JsonObject } | null> {
    return (await this.acts.get(id))?.envelope ?? null;
  }

  /** The owner knows the outcome: nothing of it is kept. */
  async forget(id: string): Promise<void> {
    this.refused.delete(id);
    await this.acts.delete(id);
  }

  private async doOnce(id: string, action: string, payload: JsonObject): Promise<Receipt> {
    const known = await this.acts.get(id);
    if (known) {
      const same = canonicalize(known.envelope.payload) === canonicalize(payload);
      if (known.receipt) {
        if (same) return known.receipt as unknown as Receipt;
      } else if (same) {
        return this.send(known);
      } else {
        // Something else under this id is on its way: its fate first.
        await this.settle(id);
      }
    }
    const act: Act = { id, envelope: await this.sign(id, action, payload), receipt: null };
    await this.acts.put(id, act);
    this.reach('act.signed', action);
    return this.send(act);
  }

  private async sign(id: string, action: string, payload: JsonObject): Promise<Act['envelope']> {
    const { actorId, chainId, key, sessionId } = this.signer;
    const height = await this.retryingClient.height();
    return key.sign({
      actorId,
      nonce: this.refused.get(id) ?? bytesToHex(crypto.getRandomValues(new Uint8Array(16))),
      expiresAtHeight: height + LIFETIME,
      action,
      payload,
      chainId,
      ...(sessionId === null ? {} : { sessionId }),
    });
  }

  private noteRefused({ id, envelope }: Act): void {
    this.refused.delete(id);
    this.refused.set(id, envelope.nonce);
    const [oldest] = this.refused.keys();
    if (this.refused.size > REFUSED_KEPT && oldest !== undefined) this.refused.delete(oldest);
  }

  private async send(act: Act): Promise<Receipt> {
    const { id, envelope } = act;
    let receipt: Receipt;
    try {
      receipt = await this.retryingClient.submit('/v1/intents', envelope);
    } catch (error) {
      // A refusal stands: what comes next is another envelope.
      if (isRefusal(error)) {
        this.noteRefused(act);
        await this.acts.delete(id);
      }
      // With the key of the agent itself it is about a session that the payload names.
      const end = this.signer.sessionId === null ? null : sessionEnd(error);
      if (end) {
        this.ended(end);
        throw end;
      }
      throw error;
    }
    this.reach('act.answered', envelope.action);
    await this.acts.put(id, { ...act, receipt: receipt as unknown as JsonObject });
    this.reach('act.recorded', envelope.action);
    return receipt;
  }
}

/** Whether the node itself has spoken: a proxy or a portal may answer in its name, and knows nothing of the envelope. */
function isRefusal(error: unknown): boolean {
  return error instanceof NetError && error.problem !== null && isErrorCode(error.problem.code);
}
