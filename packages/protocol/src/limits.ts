/**
 * Limits of the protocol, the same for every node, SDK and replay. Limits that an operator chooses (queue
 * lengths, request rates) are in the node.
 */

/** Levels of arrays and objects in an envelope. */
export const MAX_JSON_DEPTH = 32;
export const MAX_ENVELOPE_BYTES = 65_536;
/** Code points of a free string in an envelope. */
export const MAX_STRING_LENGTH = 2_048;
export const MAX_NONCE_LENGTH = 128;
export const MAX_URI_LENGTH = 512;
/** Heights above the current one, for intents, beacons and messages. */
export const MAX_EXPIRY_DISTANCE = 5_000;
export const MAX_BLOCK_TRANSITIONS = 5_000;
export const MAX_BLOCK_BYTES = 4 * 1024 * 1024;
/** Predecessors kept in the state, for heartbeats to name. */
export const RECENT_ROOTS = 1_024;
/** In bytes; the last chunk may be smaller. */
export const CHECKPOINT_CHUNK_SIZE = 262_144;
export const UNET_PER_NET = 1_000_000;
/** In unet: 10^9 NET, issued at genesis. */
export const TOTAL_SUPPLY = 1_000_000_000 * UNET_PER_NET;
/** This bound keeps quorum arithmetic exact. */
export const MAX_TOTAL_VOTING_POWER = 2 ** 50;
/** Actions in one application. The policy of a chain may allow fewer. */
export const MAX_SCOPE_LENGTH = 64;
/** This also bounds the votes of a certificate. */
export const MAX_VALIDATORS = 1_024;
export const MAX_CHECKPOINT_CHUNKS = 409_600;
export const MAX_GENESIS_OPERATORS = 1_024;
export const MAX_GENESIS_ACCOUNTS = 16_384;
export const MAX_GENESIS_VALIDATORS = 64;
/** Prefix of the operator's own independence groups. Documents count by it; no rule checks it. */
export const OPERATOR_GROUP_PREFIX = 'house-';

/** Beacons with this capability store blobs. Their protocols say how to reach them (netd-blobs/1). */
export const BLOBS_CAPABILITY = 'blobs';
export const MAX_BLOB_BYTES = 8 * 1024 * 1024;
/** Bytes of a work scope, agent metadata or memory manifest. */
export const MAX_DOCUMENT_BYTES = 262_144;
/** Bytes of agent metadata or a memory manifest. */
export const MAX_SMALL_DOCUMENT_BYTES = 131_072;
/** Bytes of a document with a few hashes and names. */
export const MAX_FACTS_BYTES = 8_192;
/** JSON values in a document; each takes many times its bytes in memory. */
export const MAX_DOCUMENT_VALUES = 131_072;
/** Levels of a document in a blob. */
export const MAX_DOCUMENT_DEPTH = 64;
/** In bytes. With base64 and an entry per recipient, sealed content still fits into a blob. */
export const MAX_SEALED_BYTES = 4 * 1024 * 1024;
export const MAX_RECIPIENTS = 16;
/** Plaintext bytes, except in the last chunk. */
export const MEMORY_CHUNK_BYTES = 1024 * 1024;
export const MAX_MEMORY_CHUNKS = 1_024;
/** Parts of the schema times bytes of the deliverable. */
export const MAX_JUDGEMENT_COST = 64 * 1024 * 1024;
/** Bytes of the acceptance and the result together. */
export const MAX_PROOF_BYTES = 40 * 1024;
/** Python takes 0.6 s at most on a core of a cloud Xeon, and 2 s on a core a third as fast. */
export const MAX_PROOF_STEPS = 1_000_000;
export const MAX_PROOF_STEPS_OF_BLOCK = 4_000_000;
