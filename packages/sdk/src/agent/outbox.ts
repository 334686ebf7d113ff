/**
 * The agent's acts, each executed once. The signed envelope is on disk before it is sent, and no other is
 * sent until its fate is known. So a crash repeats nothing.
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

export interface Signer {
  actorId: string;
  chainId: string;
  key: AgentKey;
  /** The session of the key; null if the key is the agent's own. */
  sessionId: string | null;
}

interface Act extends JsonObject {
  id: string;
  envelope: JsonObject & { nonce: string; action: string; payload: JsonObject };
  /** Null while the fate is unknown. */
  receipt: JsonObject | null;
}

interface OutboxEvents {
  reach: ReachFailpoint;
  /** Called when the session is over. */
  ended: (error: AgentError) => void;
}

/** Refusals that end the session. */
const SESSION_OVER = new Set(['SESSION_UNKNOWN', 'SESSION_EXPIRED']);

/** Returns the error that ends the agent; null if the session goes on. */
export const sessionEnd = (error: unknown): AgentError | null =>
  error instanceof NetError && SESSION_OVER.has(error.code)
    ? new AgentError('SESSION_ENDED', error.message, { cause: error })
    : null;

/** Heights, as in `NetClient.act`. */
const LIFETIME = 600;

/** Operations to remember. */
const REFUSED_KEPT = 1_000;

export class Outbox {
  private readonly retryingClient: RetryingClient;
  private readonly signer: Signer;
  private readonly acts: Records<Act>;
  private readonly reach: ReachFailpoint;
  private readonly ended: OutboxEvents['ended'];
  /**
   * Nonces of refused envelopes by operation, to reuse. If the refusal was a lie, the chain executes only one
   * envelope.
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
   * Executes the act, or returns its earlier receipt.
   * @param id identifies the act until `forget`, together with its payload
   * @throws NetError with the code of a refusal: it was not executed, and the id is free again. If a proxy
   *   answered, the envelope stays, and the same call resends it
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
   * Determines the fate of an earlier envelope.
   * @returns the receipt; null if there is none, or it was refused
   * @throws NetError if a proxy answered, which settles nothing
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

  /** Returns the act signed under this id, or null. */
  async signed(id: string): Promise<{ action: string; payload: JsonObject } | null> {
    return (await this.acts.get(id))?.envelope ?? null;
  }

  /** Call it once the outcome is recorded elsewhere. */
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
        // A different act with this id is in flight: settle it first.
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
      // A refusal is final: the next try is a new envelope.
      if (isRefusal(error)) {
        this.noteRefused(act);
        await this.acts.delete(id);
      }
      // With the agent's own key, the refusal concerns a session in the payload.
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

/** True if the node itself refused. A proxy may answer instead, and knows nothing of the envelope. */
function isRefusal(error: unknown): boolean {
  return error instanceof NetError && error.problem !== null && isErrorCode(error.problem.code);
}
