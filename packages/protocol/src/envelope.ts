import { Type, type Static } from './type.ts';
import { utf8Bytes } from './bytes.ts';
import { canonicalMembers, isInOrder, type JsonObject } from './canonical-json.ts';
import { sha256Hex } from './hash.ts';
import { MAX_SCOPE_LENGTH } from './limits.ts';
import { ActorId, Amount, FreeString, Height, Nonce, PublicKeyPem, RecordId } from './schemas.ts';
import type { CanonicalText } from './strict-json.ts';
import { compileSchema, type Violation } from './validation.ts';

export const ENVELOPE_KINDS = [
  'intent',
  'registration',
  'application',
  'claim',
  'system',
  'open',
] as const;
export type EnvelopeKind = (typeof ENVELOPE_KINDS)[number];

/** Kinds that others submit. All are signed except `open`. */
export type SubmittedKind = Exclude<EnvelopeKind, 'system'>;

/** Schemas that mark a kind. Intents and registrations are recognized by their members instead. */
export const KIND_SCHEMAS = {
  system: 'NET-SYSTEM-TRANSITION/1',
  open: 'NET-OPEN-TRANSITION/1',
  application: 'NET-OPERATOR-APPLICATION/1',
  claim: 'NET-OPERATOR-INVITATION-CLAIM/1',
} as const satisfies Record<Exclude<EnvelopeKind, 'intent' | 'registration'>, string>;

const kindBySchema: ReadonlyMap<unknown, EnvelopeKind> = new Map(
  Object.entries(KIND_SCHEMAS).map(([kind, schema]) => [schema, kind as EnvelopeKind]),
);

const ChainId = Type.Optional(
  Type.String({
    title: 'ChainId',
    maxLength: 64,
    description:
      'The chain the envelope is meant for; where present it must be the chain of the node.',
  }),
);

const GENESIS_OF =
  'The genesis hash of this chain; another one is refused. From version 2 of the rules on.';
const GenesisHash = Type.Optional(
  Type.String({ title: 'GenesisHash', maxLength: 64, description: GENESIS_OF }),
);
/** Any value, because version 1 of the rules accepts and ignores a member of this name. */
const AnyGenesisHash = Type.Optional(Type.Unknown({ description: GENESIS_OF }));

const Signature = Type.String({
  title: 'Signature',
  maxLength: 2_048,
  description:
    'Ed25519 over the canonical JSON of the envelope without this member, standard base64.',
});

export const SignedIntent = Type.Object(
  {
    actorId: FreeString,
    nonce: Nonce,
    expiresAtHeight: Type.Integer({
      description:
        'The last height at which the intent may be executed, at most 5,000 beyond the current one.',
    }),
    action: FreeString,
    payload: Type.Object(
      {},
      { additionalProperties: true, description: 'What the action asks for.' },
    ),
    chainId: ChainId,
    genesisHash: GenesisHash,
    sessionId: Type.Optional(
      Type.String({
        ...RecordId,
        description: 'The session whose key signs; without it the key of the actor does.',
      }),
    ),
    signature: Signature,
  },
  {
    title: 'SignedIntent',
    additionalProperties: false,
    description: 'One action, signed by the actor who asks for it.',
  },
);
export type SignedIntent = Static<typeof SignedIntent> & { payload: JsonObject };

export const AgentRegistration = Type.Object(
  {
    actorId: ActorId,
    description: Type.Optional(
      Type.String({ maxLength: 280, description: 'What the agent does.' }),
    ),
    referrerAgentId: Type.Optional(
      Type.String({
        maxLength: 2_048,
        description: 'An existing active agent that recruited this one.',
      }),
    ),
    publicKey: PublicKeyPem,
    publicKeyHash: FreeString,
    nonce: Nonce,
    chainId: ChainId,
    genesisHash: GenesisHash,
    signature: Signature,
  },
  {
    title: 'AgentRegistration',
    additionalProperties: false,
    description: 'A new agent introduces itself, signed by its own new key.',
  },
);
export type AgentRegistration = Static<typeof AgentRegistration>;

export const ScopedCapability = Type.Object(
  {
    action: Type.String({ minLength: 1, maxLength: 64 }),
    maxAmount: Type.Optional(Amount),
    expiresAtHeight: Type.Optional(Height),
  },
  {
    title: 'ScopedCapability',
    additionalProperties: false,
    description: 'One action, perhaps bounded by amount and height.',
  },
);
export type ScopedCapability = Static<typeof ScopedCapability>;

export const CapabilityScope = Type.Array(ScopedCapability, {
  minItems: 1,
  maxItems: MAX_SCOPE_LENGTH,
  description: 'Exactly what the authority may do, each action once.',
});

export const APPLICATION_ROLES = [
  'HUMAN',
  'AGENT',
  'VERIFIER',
  'VALIDATOR',
  'RUNTIME_PROVIDER',
  'AUDITOR',
  'GOVERNOR',
] as const;

export const OperatorApplication = Type.Object(
  {
    schema: Type.Literal(KIND_SCHEMAS.application),
    applicationId: RecordId,
    actorId: ActorId,
    role: Type.Enum([...APPLICATION_ROLES]),
    publicKey: PublicKeyPem,
    publicKeyHash: FreeString,
    capabilities: CapabilityScope,
    profile: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'What the role asks for: bond, region, ….' },
      ),
    ),
    expiresAtHeight: Type.Integer({
      description: 'The last height at which it can be approved and claimed.',
    }),
    nonce: Nonce,
    chainId: ChainId,
    genesisHash: AnyGenesisHash,
    signature: Signature,
  },
  {
    title: 'OperatorApplication',
    additionalProperties: true,
    description: 'An application for a role with an exact scope, signed by the key it is for.',
  },
);
export type OperatorApplication = Static<typeof OperatorApplication>;

export const InvitationClaim = Type.Object(
  {
    schema: Type.Literal(KIND_SCHEMAS.claim),
    invitationId: RecordId,
    actorId: ActorId,
    publicKey: PublicKeyPem,
    publicKeyHash: FreeString,
    payoutActorId: Type.Optional(
      Type.String({
        ...ActorId,
        description: 'Who gets the bonds of the actor should it be revoked; itself unless told.',
      }),
    ),
    nonce: Nonce,
    chainId: ChainId,
    genesisHash: AnyGenesisHash,
    signature: Signature,
  },
  {
    title: 'InvitationClaim',
    additionalProperties: true,
    description: 'The applicant takes up an invitation, signed by the key it is bound to.',
  },
);
export type InvitationClaim = Static<typeof InvitationClaim>;

export const OpenTransition = Type.Object(
  {
    schema: Type.Literal(KIND_SCHEMAS.open),
    actorId: FreeString,
    nonce: Nonce,
    action: FreeString,
    payload: Type.Object(
      {},
      { additionalProperties: true, description: 'What the action asks for.' },
    ),
  },
  {
    additionalProperties: false,
    description:
      'One unsigned action: made by the node from a bare payload, if the genesis of its chain is open.',
  },
);
export type OpenTransition = Static<typeof OpenTransition> & { payload: JsonObject };

/** Envelopes with their own key: all except intents. */
export type SelfSigned = Pick<
  AgentRegistration,
  'publicKey' | 'publicKeyHash' | 'signature' | 'chainId'
> & { genesisHash?: unknown };

const violationsByKind: Record<SubmittedKind, (envelope: unknown) => Violation[] | null> = {
  intent: compileSchema(SignedIntent, { listAll: true }),
  registration: compileSchema(AgentRegistration, { listAll: true }),
  application: compileSchema(OperatorApplication, { listAll: true }),
  claim: compileSchema(InvitationClaim, { listAll: true }),
  open: compileSchema(OpenTransition, { listAll: true }),
};

/**
 * Decides by the members alone, so that a replay decides as the node did. Applications and claims accept
 * further members, so the order of these tests is part of the protocol.
 */
export function envelopeKind(envelope: JsonObject): EnvelopeKind | null {
  const marked = kindBySchema.get(envelope['schema']);
  if (marked !== undefined) return marked;
  if (Object.hasOwn(envelope, 'action') && Object.hasOwn(envelope, 'payload')) return 'intent';
  return Object.hasOwn(envelope, 'publicKeyHash') ? 'registration' : null;
}

/** Texts found in every canonical envelope of the other kinds, and in few intents. */
const MARKS_OF_OTHERS = ['publicKeyHash', ...Object.values(KIND_SCHEMAS)];

/**
 * Returns the kind of a canonical text. If it begins with an action and has no mark of another kind, it must
 * be an intent. This takes a tenth of the time of parsing.
 */
export function committedKind(text: string): EnvelopeKind | null {
  const isIntent =
    text.startsWith('{"action":') && !MARKS_OF_OTHERS.some((mark) => text.includes(mark));
  return isIntent ? 'intent' : envelopeKind(JSON.parse(text) as JsonObject);
}

export function envelopeViolations(kind: SubmittedKind, envelope: JsonObject): Violation[] | null {
  const violations = violationsByKind[kind](envelope);
  if (violations) return violations;
  return envelopeKind(envelope) === kind
    ? null
    : [
        {
          path: '',
          message:
            'has the schema, or the action and payload, of another kind of envelope: remove those members',
        },
      ];
}

export interface EncodedEnvelope {
  text: string;
  signedBytes: Uint8Array;
  transitionHash: string;
}

/** @param canonical the text of the envelope, if that was canonical */
export function encodeEnvelope(
  envelope: JsonObject,
  canonical: CanonicalText | null = null,
): EncodedEnvelope {
  if (canonical) {
    const { text } = canonical;
    return {
      text,
      signedBytes: utf8Bytes(withoutSignature(canonical)),
      transitionHash: sha256Hex(text),
    };
  }
  // Fast path for most replayed envelopes, which have sorted members and end with the signature.
  if (Object.keys(envelope).at(-1) === 'signature' && isInOrder(envelope)) {
    const text = JSON.stringify(envelope);
    const last = `,"signature":${JSON.stringify(envelope['signature'])}}`;
    if (text.endsWith(last)) {
      return {
        text,
        signedBytes: utf8Bytes(`${text.slice(0, -last.length)}}`),
        transitionHash: sha256Hex(text),
      };
    }
  }
  const members = canonicalMembers(envelope);
  const text = `{${members.join(',')}}`;
  const unsigned = members.filter((member) => !member.startsWith('"signature":'));
  return {
    text,
    signedBytes: utf8Bytes(`{${unsigned.join(',')}}`),
    transitionHash: sha256Hex(text),
  };
}

function withoutSignature({ text, signature }: CanonicalText): string {
  if (signature === null) return text;
  const { start, end } = signature;
  if (text[end] === ',') return text.slice(0, start) + text.slice(end + 1);
  return text.slice(0, text[start - 1] === ',' ? start - 1 : start) + text.slice(end);
}

export function bytesToSign(envelope: object): Uint8Array {
  return utf8Bytes(`{${canonicalMembers(envelope, 'signature').join(',')}}`);
}

export function nonceHash(actorId: string, nonce: string): string {
  return sha256Hex(`{"actorId":${JSON.stringify(actorId)},"nonce":${JSON.stringify(nonce)}}`);
}
