/**
 * Executes the transitions of one block over a state. The order of the checks is part of the protocol: signature,
 * authority active, chain id, expiry, nonce, action known, capability, role, payload schema, actor binding, then the
 * action's own rules. Nothing is written unless all pass.
 */
import {
  encodeEnvelope,
  eventHash,
  MAX_EXPIRY_DISTANCE,
  merkleRoot,
  nonceHash,
  RECENT_ROOTS,
  rawKeyFromPem,
  signatureBytes,
  verifySignature,
  type AgentRegistration,
  type ChainEvent,
  type EncodedEnvelope,
  type JsonObject,
  type SignedIntent,
} from '@netd/protocol';
import { checkConservation } from './accounting.ts';
import type { Action, BlockContext, CheckContext } from './action.ts';
import { ACTIONS } from './actions/registry.ts';
import { requireRegistrationProof, registerAgent } from './actions/agents/register-agent.ts';
import { requireCapability } from './authority.ts';
import type { AuthorityRecord, ChainRecord, PolicyRecord, SpentNonce } from './collections.ts';
import { RuleError } from './rule-error.ts';
import { StateOverlay, type StateReader } from './state.ts';

/** An envelope on its way into a block: parsed, encoded once, its signature perhaps verified already. */
export interface Submission {
  kind: 'intent' | 'registration';
  envelope: JsonObject;
  encoded: EncodedEnvelope;
  /**
   * The PEM key under which the signature was verified on arrival (for a registration: its own key, found valid
   * too). Execution verifies again where this is not the key in force.
   */
  verifiedWith: string | null;
}

export type Outcome =
  | {
      ok: true;
      /** Of the transition in its block. */
      index: number;
      /** Index in the block of the first of its events. */
      firstEvent: number;
      events: ChainEvent[];
    }
  | { ok: false; refusal: RuleError };

export interface ExecutedBlock {
  /** Changed pairs as canonical JSON, null for a deletion. Empty for a block without transitions. */
  changes: Map<string, string | null>;
  /** The executed state, for the next block to stand on. */
  state: StateOverlay;
  transitionHashes: string[];
  events: ChainEvent[];
  transitionsRoot: string;
  eventsRoot: string;
}

/** Nonce leaves removed in one block at most, so that no block pays for a long past. */
const NONCE_LEAVES_REMOVED = 64;

export class BlockExecution {
  private readonly block: BlockContext;
  private readonly state: StateOverlay;
  private readonly chain: ChainRecord;
  private readonly policy: PolicyRecord;
  private readonly transitionHashes: string[] = [];
  private readonly events: ChainEvent[] = [];
  private readonly spent: SpentNonce[] = [];

  /** @param previous the predecessor, which this block records in the ring of recent roots */
  constructor(base: StateReader, block: BlockContext, previous: { stateRoot: string }) {
    this.block = block;
    this.state = new StateOverlay(base);
    const chain = this.state.get('chain', 'identity');
    const policy = this.state.get('policy', 'limits');
    if (!chain || !policy) throw new Error('the state has no genesis');
    this.chain = chain;
    this.policy = policy;
    // First of all, so that heartbeats in this very block may name the predecessor.
    this.state.put('recent-root', String((block.height - 1) % RECENT_ROOTS), {
      height: block.height - 1,
      blockHash: block.previousBlockHash,
      stateRoot: previous.stateRoot,
    });
  }

  get transitionCount(): number {
    return this.transitionHashes.length;
  }

  /** Executes one envelope, or refuses it and leaves no trace. */
  execute(submission: Submission): Outcome {
    try {
      return submission.kind === 'intent'
        ? this.executeIntent(submission)
        : this.executeRegistration(submission);
    } catch (error) {
      if (error instanceof RuleError) return { ok: false, refusal: error };
      throw error;
    }
  }

  /**
   * What an action would do now, without signature or nonce: the same rules, for simulation.
   * The execution is to be dropped afterwards.
   */
  tryAction(actorId: string, actionName: string, payload: JsonObject): Outcome {
    try {
      const authority = this.requireAuthority(actorId);
      requireActive(authority);
      return this.run(authority, actionName, payload, { nonce: '', transitionHash: '' });
    } catch (error) {
      if (error instanceof RuleError) return { ok: false, refusal: error };
      throw error;
    }
  }

  /** Closes the block: replay leaf, expired leaves, conservation, commitment. */
  finish(): ExecutedBlock {
    const transitionsRoot = merkleRoot(this.transitionHashes);
    const eventsRoot = merkleRoot(this.events.map(eventHash));
    let state = this.state;
    let changes = new Map<string, string | null>();
    if (this.transitionHashes.length > 0) {
      this.recordNonces();
      checkConservation(state);
      state.put('commitment', 'latest', { transitionsRoot, eventsRoot });
      changes = state.changes();
    } else {
      // An idle chain's root does not move: the ring entry written on opening is dropped with the overlay.
      state = new StateOverlay(state.baseReader());
    }
    return {
      changes,
      state,
      transitionHashes: this.transitionHashes,
      events: this.events,
      transitionsRoot,
      eventsRoot,
    };
  }

  /** The changes so far: what a simulation shows. */
  pendingChanges(): Map<string, string | null> {
    return this.state.changes();
  }

  private executeIntent(submission: Submission): Outcome {
    const intent = submission.envelope as unknown as SignedIntent;
    const authority = this.requireAuthority(intent.actorId);
    requireSignature(submission, authority.publicKey);
    requireActive(authority);
    this.requireChainId(intent.chainId);
    this.requireExpiry(intent.expiresAtHeight);
    const spentHash = nonceHash(intent.actorId, intent.nonce);
    const spentUntil = this.state.spentNonceExpiry(spentHash);
    if (spentUntil !== undefined && spentUntil >= this.block.height) {
      throw new RuleError('NONCE_REPLAYED', { path: '/nonce' });
    }
    const outcome = this.run(authority, intent.action, intent.payload, {
      nonce: intent.nonce,
      transitionHash: submission.encoded.transitionHash,
    });
    this.state.spendNonce(spentHash, intent.expiresAtHeight);
    this.spent.push({ hash: spentHash, expiry: intent.expiresAtHeight });
    return outcome;
  }

  private executeRegistration(submission: Submission): Outcome {
    const registration = submission.envelope as unknown as AgentRegistration;
    if (submission.verifiedWith !== registration.publicKey) {
      requireRegistrationProof(registration, submission.encoded.signedBytes);
    }
    this.requireChainId(registration.chainId);
    const overlay = new StateOverlay(this.state);
    const events: ChainEvent[] = [];
    const index = this.transitionHashes.length;
    registerAgent(registration, {
      state: overlay,
      position: { height: this.block.height, index },
      emit: (type, data) => events.push({ type, transitionIndex: index, data }),
    });
    return this.commit(overlay, events, submission.encoded.transitionHash);
  }

  private run(
    authority: AuthorityRecord,
    actionName: string,
    payload: JsonObject,
    envelope: { nonce: string; transitionHash: string },
  ): Outcome {
    const action = ACTIONS.get(actionName);
    if (!action) throw new RuleError('ACTION_UNKNOWN', { path: '/action' });
    const amount = action.amount === undefined ? undefined : payload[action.amount];
    requireCapability(
      authority,
      actionName,
      payload,
      typeof amount === 'number' ? amount : null,
      this.block.height - 1,
    );
    requireRole(authority, action);
    const violations = action.violations(payload);
    if (violations) {
      const errors = violations.map(({ path, message }) => ({ path: `/payload${path}`, message }));
      throw new RuleError('PAYLOAD_INVALID', { errors });
    }
    if (action.actor !== undefined && payload[action.actor] !== authority.actorId) {
      throw new RuleError('ACTOR_MISMATCH', { path: `/payload/${action.actor}` });
    }
    const index = this.transitionHashes.length;
    const overlay = new StateOverlay(this.state);
    const context: CheckContext = {
      state: this.state,
      block: this.block,
      chain: this.chain,
      policy: this.policy,
      authority,
      nonce: envelope.nonce,
      transitionHash: envelope.transitionHash,
      index,
    };
    const plan = action.check(context, payload);
    const events: ChainEvent[] = [];
    action.apply(
      {
        ...context,
        state: overlay,
        emit: (type, data) => events.push({ type, transitionIndex: index, data }),
      },
      payload,
      plan,
    );
    return this.commit(overlay, events, envelope.transitionHash);
  }

  /** Takes over what one transition wrote. Until here a failure of any kind leaves no trace. */
  private commit(overlay: StateOverlay, events: ChainEvent[], transitionHash: string): Outcome {
    this.state.absorb(overlay);
    const index = this.transitionHashes.length;
    this.transitionHashes.push(transitionHash);
    const firstEvent = this.events.length;
    this.events.push(...events);
    return { ok: true, index, firstEvent, events };
  }

  private recordNonces(): void {
    if (this.spent.length > 0) {
      const list = this.spent.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
      this.state.put('nonce', String(this.block.height), list);
    }
    for (const key of this.state.due('nonce', this.block.height, NONCE_LEAVES_REMOVED)) {
      this.state.delete('nonce', key.slice('nonce/'.length));
    }
  }

  private requireAuthority(actorId: string): AuthorityRecord {
    const authority = this.state.get('authority', actorId);
    if (!authority) throw new RuleError('ACTOR_UNKNOWN', { path: '/actorId' });
    return authority;
  }

  private requireChainId(chainId: unknown): void {
    if (chainId !== undefined && chainId !== this.chain.chainId) {
      throw new RuleError('CHAIN_ID_MISMATCH', {
        path: '/chainId',
        message: `this chain is ${this.chain.chainId}`,
      });
    }
  }

  private requireExpiry(expiresAtHeight: number): void {
    const current = this.block.height - 1;
    if (expiresAtHeight <= current) {
      throw new RuleError('INTENT_EXPIRED', {
        path: '/expiresAtHeight',
        message: `the current height is ${current}`,
      });
    }
    if (expiresAtHeight > current + MAX_EXPIRY_DISTANCE) {
      throw new RuleError('EXPIRY_TOO_FAR', {
        path: '/expiresAtHeight',
        message: `the current height is ${current}`,
      });
    }
  }
}

/** An envelope ready to execute; its signature is verified in execution unless `verifiedWith` says otherwise. */
export function makeSubmission(
  kind: Submission['kind'],
  envelope: JsonObject,
  verifiedWith: string | null = null,
): Submission {
  return { kind, envelope, encoded: encodeEnvelope(envelope), verifiedWith };
}

function requireSignature(
  { envelope, encoded, verifiedWith }: Submission,
  publicKey: string,
): void {
  if (verifiedWith === publicKey) return;
  const key = rawKeyFromPem(publicKey);
  const text = envelope['signature'];
  const signature = typeof text === 'string' ? signatureBytes(text) : null;
  if (!key || !signature || !verifySignature(key, encoded.signedBytes, signature)) {
    throw new RuleError('SIGNATURE_INVALID', { path: '/signature' });
  }
}

function requireActive(authority: AuthorityRecord): void {
  if (!authority.active) throw new RuleError('AUTHORITY_INACTIVE', { path: '/actorId' });
}

function requireRole(authority: AuthorityRecord, action: Action): void {
  if (authority.roles.includes('OPERATOR')) return;
  if (authority.roles.some((role) => action.roles.includes(role))) return;
  throw new RuleError('ROLE_MISSING', {
    path: '/action',
    message: `is for ${action.roles.join(', ') || 'operators'}`,
  });
}
