/** A ledger with named actors and one-call signed actions. */
import {
  KIND_SCHEMAS,
  UNET_PER_NET,
  type Genesis,
  type GenesisPolicy,
  type JsonObject,
  type OperatorApplication,
} from '@netd/protocol';
import { makeSubmission, type Outcome, type Submission } from '../block-execution.ts';
import { ROLE_SETS } from '../actions/registry.ts';
import type { ApplicationRole } from '../capability.ts';
import type { AuthorityRecord } from '../chain-records.ts';
import type { CollectionName, Collections, IdOf } from '../collections.ts';
import type { Observation } from '../observations.ts';
import { DEVNET_POLICY, devnetGenesis } from '../genesis.ts';
import {
  applicationOf,
  claimOf,
  intentOf,
  registrationOf,
  signatureOf,
  signEnvelope,
  testKey,
  type PublicKey,
  type SigningKey,
  type TestKey,
} from '@netd/protocol/testing';
import { deepFreeze, MemoryLedger } from './memory-ledger.ts';

export const CHAIN_ID = 'net-test-1';
export const GENESIS_TIME = '2026-01-01T00:00:00.000Z';
export const OPERATOR = 'operator';

/** Deviations from an honest envelope. */
export interface IntentOptions {
  nonce?: string;
  expiresAtHeight?: number;
  chainId?: string;
  /** Replaces the actor's key. */
  key?: SigningKey;
  extra?: JsonObject;
}

export interface RegistrationOptions {
  description?: string;
  referrerAgentId?: string;
  nonce?: string;
  chainId?: string;
  /** Replaces the key derived from the name. */
  key?: SelfSigningKey;
  /** Replaced before signing. */
  extra?: JsonObject;
}

type SelfSigningKey = PublicKey & SigningKey;

export class TestChain {
  readonly ledger: MemoryLedger;
  /** Keys in force. Tests that rotate a key must update this. */
  readonly keys: Map<string, TestKey> = new Map();
  private nonces = 0;

  constructor(
    options: {
      chainId?: string;
      policy?: Partial<GenesisPolicy>;
      open?: boolean;
      /** Changes the genesis before the start. */
      genesis?: (genesis: Genesis) => Genesis;
    } = {},
  ) {
    const { genesis = (document: Genesis) => document } = options;
    this.ledger = new MemoryLedger(
      genesis(
        devnetGenesis({
          chainId: options.chainId ?? CHAIN_ID,
          genesisTime: GENESIS_TIME,
          operator: { actorId: OPERATOR, publicKey: testKey(OPERATOR).publicKey },
          validator: {
            validatorId: 'validator-1',
            consensusPublicKey: testKey('validator').publicKey,
          },
          policy: { ...DEVNET_POLICY, ...options.policy },
          open: options.open ?? false,
          // As the golden chains. `withRules` gives a test another version.
          rules: 1,
        }),
      ),
    );
  }

  /** A chain with the same blocks, which continues on its own. */
  copy(): TestChain {
    const copy = Object.create(TestChain.prototype) as TestChain;
    return Object.assign(copy, this, { ledger: this.ledger.copy(), keys: new Map(this.keys) });
  }

  /** The last committed height. */
  get height(): number {
    return this.ledger.tip.height;
  }

  /** The id that scenes mean by a name; another one in `SecondCast`. */
  id(name: string): string {
    return name;
  }

  keyOf(actorId: string): TestKey {
    return this.keys.get(actorId) ?? testKey(actorId);
  }

  freshNonce(): string {
    return `nonce-${++this.nonces}`;
  }

  registration(actorId: string, options: RegistrationOptions = {}): Submission {
    const { description, referrerAgentId, chainId = this.ledger.genesis.chainId, extra } = options;
    const key = options.key ?? this.keyOf(actorId);
    const members = {
      description,
      referrerAgentId,
      nonce: options.nonce ?? this.freshNonce(),
      chainId,
      ...extra,
    };
    const isHonest = options.key === undefined && extra === undefined;
    return submissionOf(
      'registration',
      signEnvelope(key, registrationOf({ actorId, key }, members)),
      isHonest ? key.publicKey : null,
    );
  }

  intent(
    actorId: string,
    action: string,
    payload: JsonObject,
    options: IntentOptions = {},
  ): Submission {
    const members = {
      nonce: options.nonce ?? this.freshNonce(),
      expiresAtHeight: options.expiresAtHeight ?? this.height + 100,
      action,
      payload,
      chainId: options.chainId ?? this.ledger.genesis.chainId,
      ...options.extra,
    };
    const key = this.keyOf(actorId);
    return submissionOf(
      'intent',
      signEnvelope(options.key ?? key, intentOf(actorId, members)),
      options.key === undefined ? key.publicKey : null,
    );
  }

  /** As a node wraps a bare payload. */
  openTransition(
    actorId: string,
    action: string,
    payload: JsonObject,
    nonce: string = this.freshNonce(),
  ): Submission {
    return submissionOf('open', { schema: KIND_SCHEMAS.open, actorId, nonce, action, payload });
  }

  /** Narrowest scope and profile of the role. `members` replace before signing. */
  application(
    actorId: string,
    role: ApplicationRole,
    members: JsonObject = {},
    brought?: SelfSigningKey,
  ): Submission {
    const key = brought ?? this.keyOf(actorId);
    const unsigned = applicationOf(
      { actorId, key },
      {
        applicationId: `app-${actorId}-${role}`,
        role,
        capabilities: [
          role === 'HUMAN' || role === 'AGENT'
            ? { action: 'transfer', maxAmount: 1_000 }
            : { action: ROLE_SETS[role][0] ?? '' },
        ],
        profile: profileOf(actorId, role, this.ledger.genesis.chainId),
        expiresAtHeight: this.height + 100,
        nonce: this.freshNonce(),
        chainId: this.ledger.genesis.chainId,
        ...members,
      },
    );
    return submissionOf(
      'application',
      signEnvelope(key, unsigned),
      honestKey(key, brought, unsigned),
    );
  }

  claim(
    actorId: string,
    invitationId: string,
    members: JsonObject = {},
    brought?: SelfSigningKey,
  ): Submission {
    const key = brought ?? this.keyOf(actorId);
    const unsigned = claimOf(
      { actorId, key },
      {
        invitationId,
        nonce: this.freshNonce(),
        chainId: this.ledger.genesis.chainId,
        ...members,
      },
    );
    return submissionOf('claim', signEnvelope(key, unsigned), honestKey(key, brought, unsigned));
  }

  /** From the operator. */
  fund(actorId: string, amount: number): this {
    return this.does(OPERATOR, 'transfer', { to: actorId, amount });
  }

  /**
   * Applies, and has the operator approve if needed.
   * @returns the invitation id
   * @throws RuleError if a step is refused
   */
  invited(actorId: string, role: ApplicationRole, members: JsonObject = {}): string {
    const application = this.application(actorId, role, members);
    const outcome = this.submit(application);
    if (!outcome.ok) throw outcome.refusal;
    const { applicationId } = application.envelope as unknown as OperatorApplication;
    if (this.record('application', applicationId)?.status === 'PENDING') {
      const grouped = role === 'VERIFIER' || role === 'AUDITOR';
      this.does(OPERATOR, 'createOperatorInvitation', {
        applicationId,
        ...(grouped ? { independenceGroup: `group-${this.id(actorId)}` } : {}),
      });
    }
    return this.record('application', applicationId)?.invitationId ?? '';
  }

  /**
   * Application, approval, claim.
   * @throws RuleError if a step is refused
   */
  install(actorId: string, role: ApplicationRole, members: JsonObject = {}): this {
    const outcome = this.submit(this.claim(actorId, this.invited(actorId, role, members)));
    if (!outcome.ok) throw outcome.refusal;
    return this;
  }

  block(
    submissions: readonly Submission[],
    milliseconds = 100,
    observations: readonly Observation[] = [],
  ): Outcome[] {
    const context = this.ledger.nextContext(milliseconds);
    return this.ledger.execute(submissions, context, observations).outcomes;
  }

  submit(submission: Submission): Outcome {
    const [outcome] = this.block([submission]);
    if (!outcome) throw new Error('a block answers every envelope');
    return outcome;
  }

  register(actorId: string, options?: RegistrationOptions): Outcome {
    return this.submit(this.registration(actorId, options));
  }

  act(actorId: string, action: string, payload: JsonObject, options?: IntentOptions): Outcome {
    return this.submit(this.intent(actorId, action, payload, options));
  }

  /** @throws RuleError if the action is refused */
  does(actorId: string, action: string, payload: JsonObject, options?: IntentOptions): this {
    const outcome = this.act(actorId, action, payload, options);
    if (!outcome.ok) throw outcome.refusal;
    return this;
  }

  /**
   * @param actions added to the agents' capabilities
   * @throws Error if one is refused
   */
  join(actorIds: readonly string[], actions: readonly string[] = []): this {
    const outcomes = this.block(actorIds.map((actorId) => this.registration(actorId)));
    if (actions.length > 0) {
      outcomes.push(
        ...this.block(
          actorIds.map((agentId) =>
            this.intent(agentId, 'extendAgentCapabilities', { agentId, actions: [...actions] }),
          ),
        ),
      );
    }
    for (const outcome of outcomes) if (!outcome.ok) throw outcome.refusal;
    return this;
  }

  record<Name extends CollectionName>(name: Name, id: IdOf<Name>): Collections[Name] | undefined {
    return this.ledger.record(name, id);
  }

  /** Written directly, with the key of its name. */
  seedAuthority(actorId: string, members: Partial<AuthorityRecord> = {}): void {
    const key = this.keyOf(actorId);
    this.ledger.seed('authority', actorId, {
      actorId,
      publicKey: key.publicKey,
      publicKeyHash: key.publicKeyHash,
      roles: ['AGENT'],
      capabilities: [],
      active: true,
      ...members,
    });
  }

  /** @param named members of both statement and payload */
  rotation(
    actorId: string,
    next: TestKey,
    options: IntentOptions = {},
    named: { genesisHash?: string } = {},
  ): Submission {
    const nonce = options.nonce ?? this.freshNonce();
    const statement = {
      schema: 'NET-KEY-ROTATION/1',
      chainId: this.ledger.genesis.chainId,
      actorId,
      oldKeyHash: this.keyOf(actorId).publicKeyHash,
      newPublicKey: next.publicKey,
      nonce,
      ...named,
    };
    const payload = {
      agentId: actorId,
      newPublicKey: next.publicKey,
      newKeySignature: signatureOf(next, statement),
      ...named,
    };
    return this.intent(actorId, 'rotateAgentKey', payload, { ...options, nonce });
  }

  recoveryRequest(
    guardian: string,
    recoveringAgentId: string,
    next: Pick<TestKey, 'publicKey' | 'sign'>,
    options: IntentOptions = {},
  ): Submission {
    const statement = {
      schema: 'NET-KEY-RECOVERY/1',
      chainId: this.ledger.genesis.chainId,
      actorId: recoveringAgentId,
      newPublicKey: next.publicKey,
    };
    const payload = {
      agentId: guardian,
      recoveringAgentId,
      newPublicKey: next.publicKey,
      newKeySignature: signatureOf(next, statement),
    };
    return this.intent(guardian, 'requestAgentRecovery', payload, options);
  }
}

/** The key under which a node has verified an envelope that its own actor signed; null if a test brings a key. */
function honestKey(
  own: PublicKey,
  brought: PublicKey | undefined,
  { publicKey, publicKeyHash }: JsonObject,
): string | null {
  const isHonest = publicKey === own.publicKey && publicKeyHash === own.publicKeyHash;
  return isHonest && brought === undefined ? own.publicKey : null;
}

/**
 * Nothing that executes an envelope may change it.
 * @param verifiedWith the key under which a node has verified it at admission; null if execution verifies it
 */
export function submissionOf(
  kind: Submission['kind'],
  envelope: JsonObject,
  verifiedWith: string | null = null,
): Submission {
  return makeSubmission(kind, deepFreeze(envelope), verifiedWith);
}

/** Makes a chain once for each set of options, and returns a copy each time. */
export function madeOnce<Options extends object>(
  make: (options?: Options) => TestChain,
): (options?: Options) => TestChain {
  const made = new Map<string, TestChain>();
  return (options) => {
    const id = JSON.stringify(options ?? {});
    const chain = made.get(id) ?? make(options);
    made.set(id, chain);
    return chain.copy();
  };
}

/** The smallest profile for a role. */
export function profileOf(
  actorId: string,
  role: ApplicationRole,
  chainId: string = CHAIN_ID,
): JsonObject {
  switch (role) {
    case 'VERIFIER':
      return { bond: 100 * UNET_PER_NET };
    case 'VALIDATOR':
      return {
        selfBond: 1_000 * UNET_PER_NET,
        ...consensusKeyOf(actorId, chainId),
        faultDomain: 'rack-1',
      };
    case 'RUNTIME_PROVIDER':
      return { bond: 100 * UNET_PER_NET, region: 'eu-central', faultDomain: 'rack-1' };
    default:
      return {};
  }
}

/** Includes the proof of possession. */
export function consensusKeyOf(
  actorId: string,
  chainId: string,
  key: Pick<TestKey, 'publicKey' | 'sign'> = testKey(`${actorId} consensus`),
): { consensusPublicKey: string; consensusKeySignature: string } {
  const consensusPublicKey = key.publicKey;
  const statement = { schema: 'NET-CONSENSUS-KEY/1', chainId, actorId, consensusPublicKey };
  return { consensusPublicKey, consensusKeySignature: signatureOf(key, statement) };
}
