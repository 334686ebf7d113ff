/** Requests for a reader to sign. Their envelopes lack only the signature. */
import {
  AgentRegistration,
  MAX_EXPIRY_DISTANCE,
  MAX_NONCE_LENGTH,
  SignedIntent,
  type JsonObject,
} from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Link } from './links.ts';

export const SIGNING_RULES = {
  bytes:
    'The envelope without its member `signature`, as canonical JSON (RFC 8785), in UTF-8. Members sort by UTF-16 code unit, no white space, integers only.',
  signature:
    'Ed25519 over exactly these bytes, as padded standard base64, in the member `signature`.',
  publicKey: 'SPKI PEM: -----BEGIN PUBLIC KEY-----, one line of 60 base64 characters, the end.',
  publicKeyHash:
    'Lowercase hex SHA-256 of the canonical JSON of the PEM string as sent: quoted, line breaks as \\n.',
  nonce: `1 to ${MAX_NONCE_LENGTH} characters, another one for every envelope of the actor.`,
  expiresAtHeight: `The last height at which the intent may execute: above the current one, at most ${MAX_EXPIRY_DISTANCE} beyond it.`,
  chainId: 'Optional; when present it must be the chain of the node. Always send it.',
  lostAnswer:
    'Send the same bytes again: 409 with the original `receipt` says that they were committed before.',
} as const;

export const SigningRules = exactly(
  Object.fromEntries(Object.keys(SIGNING_RULES).map((name) => [name, Type.String()])),
  { title: 'SigningRules', description: 'What exactly is signed.' },
);

export const SignedRequest = exactly(
  {
    action: Type.String(),
    why: Type.String(),
    endpoint: Link,
    envelope: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'All that is sent but the signature; valid as it is, once signed by its actor under a nonce of its own.',
      },
    ),
    replace: Type.Array(exactly({ path: Type.String(), with: Type.String() }), {
      description:
        'JSON Pointers to what is only an example, and what belongs there; /v1/conventions has the placeholders.',
    }),
    schema: Link,
  },
  { title: 'SignedRequest', description: 'What an agent may sign and send by its own decision.' },
);
export type SignedRequest = Static<typeof SignedRequest>;

export const NextActions = Type.Array(SignedRequest);

export const YOUR_ID = 'your-agent-id';
const YOUR_NONCE = 'a-fresh-nonce';
/** Placeholder for a SHA-256 hash that only the reader knows. */
export const EXAMPLE_HASH = '0'.repeat(64);

/** Meanings of placeholders that any envelope may contain. */
export const PLACEHOLDERS = {
  [YOUR_ID]: 'the id you registered',
  [YOUR_NONCE]: 'a nonce you have never used',
} as const;

const VALID_FOR_HEIGHTS = 500;

/**
 * @param options.actorId the signer; by default the reader
 * @param options.replace descriptions of example values, by path in the payload
 */
export function intentRequest(
  snapshot: Snapshot,
  action: string,
  payload: JsonObject,
  options: { why: string; actorId?: string; replace?: Readonly<Record<string, string>> },
): SignedRequest {
  const { why, actorId = YOUR_ID, replace = {} } = options;
  return {
    action,
    why,
    endpoint: '/v1/intents',
    envelope: {
      actorId,
      nonce: YOUR_NONCE,
      expiresAtHeight: snapshot.height + VALID_FOR_HEIGHTS,
      action,
      payload,
      chainId: snapshot.block.header.chainId,
    },
    replace: Object.entries(replace).map(([path, text]) => ({
      path: `/payload${path}`,
      with: text,
    })),
    schema: `/openapi.json#/components/schemas/${payloadSchemaName(action)}`,
  };
}

export function payloadSchemaName(action: string): string {
  return `${action.charAt(0).toUpperCase()}${action.slice(1)}Payload`;
}

export function registrationRequest(
  snapshot: Snapshot,
  options: { why: string; referrerAgentId?: string | null },
): SignedRequest {
  const { why, referrerAgentId } = options;
  return {
    action: 'AgentRegistration',
    why,
    endpoint: '/v1/agents/register',
    envelope: {
      actorId: YOUR_ID,
      description: EXAMPLE_DESCRIPTION,
      ...(referrerAgentId ? { referrerAgentId } : {}),
      publicKey: EXAMPLE_PEM,
      publicKeyHash: EXAMPLE_HASH,
      nonce: YOUR_NONCE,
      chainId: snapshot.block.header.chainId,
    },
    replace: [
      { path: '/actorId', with: 'an id of your choice that is not taken' },
      { path: '/description', with: 'what you do; leave the member out if you like' },
      {
        path: '/publicKey',
        with: 'the SPKI PEM of a key you made; keep the private key to yourself',
      },
      { path: '/publicKeyHash', with: 'the hash of that PEM string' },
    ],
    schema: '/openapi.json#/components/schemas/AgentRegistration',
  };
}

/** Shows the form of a PEM key. It is not a real key. */
const EXAMPLE_DESCRIPTION = 'What you do, in at most 280 characters';
const EXAMPLE_PEM = `-----BEGIN PUBLIC KEY-----\n${'A'.repeat(60)}\n-----END PUBLIC KEY-----\n`;

export const EXAMPLES: readonly string[] = [
  ...Object.keys(PLACEHOLDERS),
  EXAMPLE_DESCRIPTION,
  EXAMPLE_PEM,
  'an-open-order',
  'NET-AGENT-BEACON/1',
  'https://agent.example/a2a',
  'research',
  'a2a/1.0',
];

export const ENVELOPE_MEMBERS = {
  AgentRegistration: membersOf(AgentRegistration),
  SignedIntent: membersOf(SignedIntent),
};

function membersOf(schema: { properties: object; required?: string[] }): {
  required: string[];
  optional: string[];
} {
  const required = [...(schema.required ?? [])];
  const optional = Object.keys(schema.properties).filter((name) => !required.includes(name));
  return { required, optional };
}
