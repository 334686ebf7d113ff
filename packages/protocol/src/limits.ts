/**
 * The limits that are part of the protocol: every node, SDK and replay applies the same ones.
 * What an operator may choose (queue lengths, request rates) lives in the node instead.
 */

/** An envelope's JSON may nest this deep (arrays and objects). */
export const MAX_JSON_DEPTH = 32;
/** Bytes of one envelope as sent. */
export const MAX_ENVELOPE_BYTES = 65_536;
/** Characters (code points) of a free string inside an envelope. */
export const MAX_STRING_LENGTH = 2_048;
/** Characters of a nonce. */
export const MAX_NONCE_LENGTH = 128;
/** Characters of an https URI. */
export const MAX_URI_LENGTH = 512;
/** Heights beyond the current one that an intent, a beacon or a message may ask for. */
export const MAX_EXPIRY_DISTANCE = 5_000;
/** Transitions in one block. */
export const MAX_BLOCK_TRANSITIONS = 5_000;
/** Bytes of the canonical envelopes of one block. */
export const MAX_BLOCK_BYTES = 4 * 1024 * 1024;
/** Predecessors a block with transitions remembers, for heartbeats to name. */
export const RECENT_ROOTS = 1_024;
/** Bytes of a checkpoint chunk, except the last. */
export const CHECKPOINT_CHUNK_SIZE = 262_144;
/** The base units of one NET. */
export const UNET_PER_NET = 1_000_000;
/** Everything there will ever be, in unet: 10^9 NET, issued at genesis. */
export const TOTAL_SUPPLY = 1_000_000_000 * UNET_PER_NET;
/** Voting power of a whole validator set may not exceed this, so that quorum arithmetic stays exact. */
export const MAX_TOTAL_VOTING_POWER = 2 ** 50;
/** Capabilities one application may list; the policy of a chain may allow fewer. */
export const MAX_SCOPE_LENGTH = 64;
/** Validators of a set, and votes of a certificate. */
export const MAX_VALIDATORS = 1_024;
/** Chunks of a checkpoint: a state of 100 GiB. */
export const MAX_CHECKPOINT_CHUNKS = 409_600;
/** Operators and accounts that a genesis names. */
export const MAX_GENESIS_OPERATORS = 1_024;
export const MAX_GENESIS_ACCOUNTS = 16_384;
/** Validators that a sealed mainnet genesis takes over at most. */
export const MAX_GENESIS_VALIDATORS = 64;
/**
 * An independence group whose name begins so belongs to the operator who approved it. A convention that documents count
 * by; no rule asks.
 */
export const OPERATOR_GROUP_PREFIX = 'house-';

/** The capability by which a beacon offers to keep blobs; how to speak to it, say its protocols (netd-blobs/1). */
export const BLOBS_CAPABILITY = 'blobs';
/** Bytes of one blob. */
export const MAX_BLOB_BYTES = 8 * 1024 * 1024;
/** Bytes of a document in a blob: a work scope, agent metadata, the manifest of a memory. */
export const MAX_DOCUMENT_BYTES = 262_144;
/** Bytes of a document in a blob that can hold less: agent metadata, and the manifest of a memory. */
export const MAX_SMALL_DOCUMENT_BYTES = 131_072;
/** Bytes of a document in a blob that holds a few hashes and names. */
export const MAX_FACTS_BYTES = 8_192;
/** Values in a document in a blob: each takes many times its bytes in memory, and sealed content has few. */
export const MAX_DOCUMENT_VALUES = 131_072;
/** A document in a blob may nest this deep. */
export const MAX_DOCUMENT_DEPTH = 64;
/** Bytes that can be sealed at once; with base64 and one entry a recipient they still fit into a blob. */
export const MAX_SEALED_BYTES = 4 * 1024 * 1024;
/** Recipients of one sealed content. */
export const MAX_RECIPIENTS = 16;
/** Plaintext bytes of a chunk of portable memory, except the last. */
export const MEMORY_CHUNK_BYTES = 1024 * 1024;
/** Chunks of one portable memory. */
export const MAX_MEMORY_CHUNKS = 1_024;
/** The most that judging one deliverable by a schema may cost: parts of the schema times bytes of the deliverable. */
export const MAX_JUDGEMENT_COST = 64 * 1024 * 1024;
