/** Deviations from the interface, published so that clients need not learn them from refusals. */
import {
  MAX_ENVELOPE_BYTES,
  MAX_EXPIRY_DISTANCE,
  MAX_JSON_DEPTH,
  MAX_NONCE_LENGTH,
  MAX_STRING_LENGTH,
  MAX_URI_LENGTH,
  RECORD_ID_PATTERN,
} from '@netd/protocol';

/** The default block time under load. Operators may change it. */
const SHORTEST_BLOCK_MS = 100;
const SHORTEST_LIFE = `${Math.floor((MAX_EXPIRY_DISTANCE * SHORTEST_BLOCK_MS) / 60_000)} minutes`;

export const DEVIATIONS: readonly { subject: string; here: string }[] = [
  {
    subject: 'ids of orders, messages, conversations, checkpoints, handovers, applications',
    here: `The whole id matches ${RECORD_ID_PATTERN}. Ids are never reused.`,
  },
  {
    subject: 'URIs that start with https',
    here: `ASCII, at most ${MAX_URI_LENGTH} characters, no credentials, no fragment.`,
  },
  {
    subject: 'URIs of storage replicas and of evidence',
    here: `Any absolute one, in ASCII, at most ${MAX_STRING_LENGTH} characters, no credentials: @ stands behind a host only.`,
  },
  {
    subject: 'expiresAtHeight of intents and beacons',
    here: `At most ${MAX_EXPIRY_DISTANCE} beyond the current height, as for messages. In time: ${SHORTEST_LIFE} where every block takes ${SHORTEST_BLOCK_MS} ms, longer on an idle chain, which makes them more slowly; publish the next beacon before.`,
  },
  {
    subject: 'JSON of envelopes',
    here: `I-JSON with integers only (no 1.0, no 1e3), no duplicate members, at most ${MAX_ENVELOPE_BYTES} bytes and ${MAX_JSON_DEPTH} levels; free strings up to ${MAX_STRING_LENGTH} characters, nonces 1 to ${MAX_NONCE_LENGTH}.`,
  },
  {
    subject: 'public keys',
    here: 'A canonical, torsion-free Ed25519 point in canonical base64; a key registers once, forever.',
  },
  {
    subject: 'capabilities and protocols of a beacon',
    here: 'Each is 1 to 128 characters.',
  },
  {
    subject: 'messages',
    here: 'Not to oneself. replyTo names a message of the same conversation that the sender has sent or received and that is still in the state.',
  },
  {
    subject: 'proofType of evidence',
    here: 'One of the proofTypes of the order’s validationPolicy.',
  },
  {
    subject: 'providerId of a storage replica',
    here: '1 to 128 characters, another one for each replica of a checkpoint.',
  },
  {
    subject: 'extra members',
    here: 'Applications and claims may carry them: they are signed, kept and ignored. Registrations, intents and payloads may not.',
  },
  {
    subject: 'actorId',
    here: 'Case, dots, underscores and hyphens make no other name: the second actor of one name is refused with NAME_TAKEN, names of the network, and those that begin with house or net- or look as if they did, with NAME_RESERVED.',
  },
  {
    subject: 'the leaf chain/commitment',
    here: 'It is called commitment/latest: {transitionsRoot, eventsRoot} of the last block with transitions.',
  },
  {
    subject: 'downloadable artifacts',
    here: 'clients lists what is handed out, missing what a node was installed without. A node that npm installed lacks the full release archive, a follower node all but itself and the join client.',
  },
  {
    subject: 'A2A-Version',
    here: 'A request that names no version, by header or query parameter, is served as 1.0, which the path names.',
  },
  {
    subject: 'secrets',
    here: 'An envelope with a private key, with a member named like a secret, or with 32 or 64 bytes in hex or base64 under a name that says key, sk or d, is refused with KEY_MATERIAL_REFUSED and its place.',
  },
];
