/**
 * Executes the transitions of one block over a state. The order of the checks is part of the protocol: signature,
 * authority active, chain id, expiry, nonce, action known, capability, role, payload schema, actor binding, then the
 * action's own rules. Nothing is written unless all pass. Before any envelope, the block does what is due by itself.
 */
import {
  canonicalize,
  encodeEnvelope,
  eventHash,
  MAX_EXPIRY_DISTANCE,
  merkleRoot,
  merkleSubtrees,
  nonceHash,
  RECENT_ROOTS,
  rawKeyFromPem,
  rootOfSubtrees,
  sha256Hex,
  signatureBytes,
  verifySignature,
  type AgentRegistration,
  type ChainEvent,
  type EncodedEnvelope,
  type InvitationClaim,
  type JsonObject,
  type OperatorApplication,
  type SelfSigned,
  type SignedIntent,
  type SystemTransition,
  type OpenTransition,
  type SubmittedKind,
} from '@netd/protocol';
import { checkConservation } from './accounting.ts';
import type { Action, BlockContext, CheckContext } from './action.ts';
import { ACTIONS } from './actions/registry.ts';
import { registerAgent } from './actions/agents/register-agent.ts';
import { claimInvitation } from './actions/operators/claim-invitation.ts';
import { releaseBonds } from './actions/operators/bonds.ts';
import { submitApplication } from './actions/operators/submit-application.ts';
import { requireCapability } from './authority.ts';
import type { AuthorityRecord, ChainRecord, PolicyRecord, SpentNonce } from './chain-records.ts';
import { expireAtEnd, expireAtOpening } from './expiry.ts';
import { RuleError } from './rule-error.ts';
import { requireSelfSignature } from './self-signed.ts';
import { StateOverlay, type StateReader } from './state.ts';
import { SYSTEM_KINDS, SYSTEM_RULES } from './system-transitions.ts';
import { checkTokenConservation } from './token-accounting.ts';

/** An envelope on its way into a block: parsed, encoded once, its signature perhaps verified already. */
export interface Submission {
  kind: SubmittedKind;
  envelope: JsonObject;
  encoded: EncodedEnvelope;
  /**
   * The PEM key under which the signature was verified on arrival (for what brings its own key: that one, found valid
   * too). Execution verifies again where this is not the key in force. Null for what nobody signs.
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
  /** From which eventsRoot is made, see `merkleSubtrees`: what makes proofs of events cheap. */
  eventSubtrees: string[];
}

export class BlockExecution {
  private readonly block: BlockContext;
  private readonly state: StateOverlay;
  private readonly chain: ChainRecord;
  private readonly policy: PolicyRecord;
  private readonly transitionHashes: string[] = [];
  private readonly events: ChainEvent[] = [];
  private readonly spent: SpentNonce[] = [];
  private readonly systemTexts: string[] = [];

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
    expireAtOpening(this.state, block.height);
    // Here and not by a call of its own: no builder, replay or simulation can forget it.
    this.executeDue();
  }

  /** Canonical JSON of the system transitions that open the block, in order. */
  get systemTransitions(): readonly string[] {
    return this.systemTexts;
  }

  get transitionCount(): number {
    return this.transitionHashes.length;
  }

  /** Executes one envelope, or refuses it and leaves no trace. */
  execute(submission: Submission): Outcome {
    try {
      if (submission.kind === 'intent') return this.executeIntent(submission);
      if (submission.kind === 'open') return this.executeOpen(submission);
      return this.executeSelfSigned(submission);
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

  /** Closes the block: replay leaf, expired records, bonds that go back, conservation, commitment. */
  finish(): ExecutedBlock {
    const transitionsRoot = merkleRoot(this.transitionHashes);
    const eventSubtrees = merkleSubtrees(this.events.map(eventHash));
    const eventsRoot = rootOfSubtrees(eventSubtrees);
    let state = this.state;
    let changes = new Map<string, string | null>();
    if (this.transitionHashes.length > 0) {
      this.recordNonces();
      expireAtEnd(state, this.block.height, this.transitionHashes.length);
      releaseBonds(state, this.block);
      checkConservation(state);
      checkTokenConservation(state);
      state.put('commitment', 'latest', { transitionsRoot, eventsRoot });
      changes = state.changes();
    } else {
      // An idle chain's root does not move: the ring entry and the expiries of the opening are dropped with the overlay.
      state = new StateOverlay(state.baseReader());
    }
    return {
      changes,
      state,
      transitionHashes: this.transitionHashes,
      events: this.events,
      transitionsRoot,
      eventsRoot,
      eventSubtrees,
    };
  }

  /** The changes so far: what a simulation shows. */
  pendingChanges(): Map<string, string | null> {
    return this.state.changes();
  }

  /** What falls due at this height and time, as transitions that nobody signed; bounded by the limit of each rule. */
  private executeDue(): void {
    const { block, policy } = this;
    for (const rule of SYSTEM_RULES) {
      for (const key of this.state.due(rule.collection, rule.until(block), rule.limit)) {
        const subject = key.slice(rule.collection.length + 1);
        const kind = rule.kindOf(this.state, block, subject);
        if (kind === null) break;
        const transition: SystemTransition = {
          schema: 'NET-SYSTEM-TRANSITION/1',
          kind,
          height: block.height,
          subject,
        };
        const text = canonicalize(transition);
        const transitionHash = sha256Hex(text);
        const overlay = new StateOverlay(this.state);
        const events: ChainEvent[] = [];
        const index = this.transitionHashes.length;
        SYSTEM_KINDS[kind].apply(
          {
            state: overlay,
            block,
            policy,
            transitionHash,
            index,
            emit: (type, data) => events.push({ type, transitionIndex: index, data }),
          },
          subject,
        );
        this.commit(overlay, events, transitionHash);
        this.systemTexts.push(text);
      }
    }
  }

  private executeIntent(submission: Submission): Outcome {
    const intent = submission.envelope as unknown as SignedIntent;
    const authority = this.requireAuthority(intent.actorId);
    requireSignature(submission, authority.publicKey);
    requireActive(authority);
    this.requireChainId(intent.chainId);
    this.requireExpiry(intent.expiresAtHeight);
    return this.runOnce(authority, intent, intent.expiresAtHeight, submission.encoded);
  }

  /** What only an open chain takes, and only for the actions that have a bare form: the rest of an intent's checks. */
  private executeOpen({ envelope, encoded }: Submission): Outcome {
    const open = envelope as unknown as OpenTransition;
    if (!this.chain.open || ACTIONS.get(open.action)?.bareActor === undefined) {
      throw new RuleError('SIGNED_INTENT_REQUIRED', { path: '/action' });
    }
    const authority = this.requireAuthority(open.actorId);
    requireActive(authority);
    // It names no expiry: its nonce is remembered for as long as that of an intent can be.
    return this.runOnce(authority, open, this.block.height - 1 + MAX_EXPIRY_DISTANCE, encoded);
  }

  /** @param expiry the last height at which its nonce must not come again */
  private runOnce(
    authority: AuthorityRecord,
    { nonce, action, payload }: Pick<SignedIntent, 'nonce' | 'action' | 'payload'>,
    expiry: number,
    { transitionHash }: EncodedEnvelope,
  ): Outcome {
    const spentHash = nonceHash(authority.actorId, nonce);
    const spentUntil = this.state.spentNonceExpiry(spentHash);
    if (spentUntil !== undefined && spentUntil >= this.block.height) {
      throw new RuleError('NONCE_REPLAYED', { path: '/nonce' });
    }
    const outcome = this.run(authority, action, payload, { nonce, transitionHash });
    this.state.spendNonce(spentHash, expiry);
    this.spent.push({ hash: spentHash, expiry });
    return outcome;
  }

  /** An envelope that needs no authority yet, because it brings the key it is signed with. */
  private executeSelfSigned({ kind, envelope, encoded, verifiedWith }: Submission): Outcome {
    const selfSigned = envelope as unknown as SelfSigned;
    if (verifiedWith !== selfSigned.publicKey) {
      requireSelfSignature(selfSigned, encoded.signedBytes);
    }
    this.requireChainId(selfSigned.chainId);
    const overlay = new StateOverlay(this.state);
    const events: ChainEvent[] = [];
    const index = this.transitionHashes.length;
    const context = {
      state: overlay,
      policy: this.policy,
      position: { height: this.block.height, index },
      transitionHash: encoded.transitionHash,
      emit: (type: string, data: Record<string, unknown>) =>
        events.push({ type, transitionIndex: index, data }),
    };
    if (kind === 'application') {
      submitApplication(envelope as unknown as OperatorApplication, context);
    } else if (kind === 'claim') {
      claimInvitation(envelope as unknown as InvitationClaim, context);
    } else {
      registerAgent(envelope as unknown as AgentRegistration, context);
    }
    return this.commit(overlay, events, encoded.transitionHash);
  }

  private run(
    authority: AuthorityRecord,
    actionName: string,
    payload: JsonObject,
    envelope: { nonce: string; transitionHash: string },
  ): Outcome {
    const action = ACTIONS.get(actionName);
    if (!action) throw new RuleError('ACTION_UNKNOWN', { path: '/action' });
    requireCapability(authority, action, payload, this.block.height - 1);
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
