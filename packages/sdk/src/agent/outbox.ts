/**
 * Executes each of the agent's acts once. The signed envelope is on disk before it is sent, and no other is
 * sent until its fate is known. A refusal may be a lie: later envelopes have the same nonce, and never a
 * lower expiry.
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
import { AgentError, codeOf } from './agent-error.ts';
import type { ReachFailpoint } from './failpoints.ts';
import { Records, type AgentState } from './home.ts';
import type { RetryingClient } from './retrying-client.ts';

export interface Signer {
  actorId: string;
  chainId: string;
  key: AgentKey;
  sessionId: string | null;
}

type Envelope = JsonObject & {
  nonce: string;
  expiresAtHeight: number;
  action: string;
  payload: JsonObject;
};

interface Act extends JsonObject {
  id: string;
  envelope: Envelope;
  receipt: JsonObject | null;
  /** True if the node refused the envelope. If it lied, the chain may still execute it. */
  refused?: boolean;
  /** Refused envelopes with the same nonce, newest first, none with a higher expiry. */
  earlier?: Envelope[];
}

interface OutboxEvents {
  reach: ReachFailpoint;
  ended: (error: AgentError) => void;
}

const SESSION_OVER = new Set(['SESSION_UNKNOWN', 'SESSION_EXPIRED']);

export const sessionEnd = (error: unknown): AgentError | null =>
  error instanceof NetError && SESSION_OVER.has(error.code)
    ? new AgentError('SESSION_ENDED', error.message, { cause: error })
    : null;

const LIFETIME = 600;

const REFUSED_KEPT = 1_000;
const EARLIER_KEPT = 8;
/** The chain would execute these acts twice under two nonces. All other acts carry an id in the payload. */
const REPEATABLE = /^(?:own|hire)\//;

export class Outbox {
  private readonly retryingClient: RetryingClient;
  private readonly signer: Signer;
  private readonly acts: Records<Act>;
  private readonly reach: ReachFailpoint;
  private readonly ended: OutboxEvents['ended'];
  private readonly refused: { ids: Set<string> | null } = { ids: null };
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

  /** Returns the same acts for one call, whose client ends with the call. */
  through(retryingClient: RetryingClient): Outbox {
    return Object.create(this, { retryingClient: { value: retryingClient } }) as Outbox;
  }

  /**
   * Executes the act, or returns its earlier receipt.
   * @param id identifies the act until `forget`
   * @throws NetError with the code of a refusal: not executed, and the id is free again. If a proxy answered,
   *   the envelope stays, and the same call resends it
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

  /** Sends a pending envelope again. Returns the receipt; null if there is no such act, or it is refused. */
  async settle(id: string): Promise<Receipt | null> {
    const known = await this.acts.get(id);
    if (!known) return null;
    if (known.receipt) return known.receipt as unknown as Receipt;
    if (known.refused === true) return null;
    try {
      return await this.send(known);
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  }

  /** Returns a pending or executed act; null without one, or after a refusal. */
  async signed(id: string): Promise<{ action: string; payload: JsonObject } | null> {
    const known = await this.acts.get(id);
    return known && known.refused !== true ? known.envelope : null;
  }

  /** True if there is an envelope with this id, refused or not: the refusal may be a lie. */
  async holds(id: string): Promise<boolean> {
    return (await this.acts.get(id)) !== null;
  }

  async forget(id: string): Promise<void> {
    this.refused.ids?.delete(id);
    await this.acts.delete(id);
  }

  private async doOnce(id: string, action: string, payload: JsonObject): Promise<Receipt> {
    const known = await this.acts.get(id);
    if (known) {
      const same = canonicalize(known.envelope.payload) === canonicalize(payload);
      if (known.receipt) {
        if (same) return known.receipt as unknown as Receipt;
      } else if (same) {
        try {
          const act = { ...known, refused: false };
          if (known.refused === true) await this.acts.put(id, act);
          return await this.send(act);
        } catch (error) {
          if (codeOf(error) !== 'INTENT_EXPIRED') throw error;
        }
      } else {
        await this.settle(id);
      }
    }
    const before = await this.acts.get(id);
    const act = await this.sign(id, action, payload, before?.receipt ? null : before);
    await this.acts.put(id, act);
    this.reach('act.signed', action);
    return this.send(act);
  }

  /**
   * @param before a refused act with this id. Its refusal may be a lie, so both envelopes expire at the same
   *   height: the chain executes only one of them
   */
  private async sign(
    id: string,
    action: string,
    payload: JsonObject,
    before: Act | null,
  ): Promise<Act> {
    const { actorId, chainId, key, sessionId } = this.signer;
    const { height, genesisHash } = await this.retryingClient.tip();
    const last = before?.envelope.expiresAtHeight ?? 0;
    const expiresAtHeight = last > height ? last : height + LIFETIME;
    const envelope = await key.sign({
      actorId,
      nonce: before?.envelope.nonce ?? bytesToHex(crypto.getRandomValues(new Uint8Array(16))),
      expiresAtHeight,
      action,
      payload,
      chainId,
      ...(genesisHash === null ? {} : { genesisHash }),
      ...(sessionId === null ? {} : { sessionId }),
    });
    if (!before) return { id, envelope, receipt: null };
    const earlier = [before.envelope, ...(before.earlier ?? [])].slice(0, EARLIER_KEPT);
    return { id, envelope, receipt: null, earlier };
  }

  private async noteRefused(act: Act, code: string): Promise<void> {
    const { id } = act;
    this.refused.ids ??= new Set(
      (await this.acts.all()).filter(({ refused }) => refused === true).map((one) => one.id),
    );
    const { ids } = this.refused;
    ids.delete(id);
    // A false height must not block an act.
    if (code === 'EXPIRY_TOO_FAR' && !REPEATABLE.test(id)) return this.acts.delete(id);
    await this.acts.put(id, { ...act, refused: true });
    ids.add(id);
    const [oldest] = ids;
    if (ids.size <= REFUSED_KEPT || oldest === undefined) return;
    ids.delete(oldest);
    if ((await this.acts.get(oldest))?.refused === true) await this.acts.delete(oldest);
  }

  private async executedEarlier({ id, earlier = [] }: Act): Promise<Act | null> {
    for (const envelope of earlier) {
      try {
        const receipt = await this.retryingClient.submit('/v1/intents', envelope);
        const act: Act = { id, envelope, receipt: receipt as unknown as JsonObject };
        await this.acts.put(id, act);
        return act;
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    return null;
  }

  private async send(act: Act): Promise<Receipt> {
    const { id, envelope } = act;
    // Later refusals would otherwise forget this act, and the chain could execute it again.
    this.refused.ids?.delete(id);
    let receipt: Receipt;
    try {
      receipt = await this.retryingClient.submit('/v1/intents', envelope);
    } catch (error) {
      if (isRefusal(error)) {
        const executed = error.code === 'NONCE_REPLAYED' ? await this.executedEarlier(act) : null;
        if (
          executed &&
          canonicalize(executed.envelope.payload) === canonicalize(envelope.payload)
        ) {
          return executed.receipt as unknown as Receipt;
        }
        if (!executed) await this.noteRefused(act, error.code);
      }
      // If the agent's own key signed, such a refusal concerns a session in the payload.
      const end = this.signer.sessionId === null ? null : sessionEnd(error);
      if (end) {
        this.ended(end);
        throw end;
      }
      throw error;
    }
    this.reach('act.answered', envelope.action);
    await this.acts.put(id, { id, envelope, receipt: receipt as unknown as JsonObject });
    this.reach('act.recorded', envelope.action);
    return receipt;
  }
}

/** False for a proxy's answer, which settles nothing. */
function isRefusal(error: unknown): error is NetError {
  return error instanceof NetError && error.problem !== null && isErrorCode(error.problem.code);
}
