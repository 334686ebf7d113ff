import { NetSdkError, type ErrorEntry } from '@netd/protocol';

const table = {
  // Any document
  DOCUMENT_TOO_LARGE: {
    title: 'The document is too large',
    advice: 'Put long content into blobs of its own and name them by their hash.',
  },
  DOCUMENT_HASH_MISMATCH: {
    title: 'The bytes are not those that the hash names',
    advice: 'Fetch them from another origin; do not trust the origin that sent these.',
  },
  DOCUMENT_NOT_JSON: {
    title: 'The bytes are not JSON in UTF-8, or nest too deep',
    advice: 'Write one JSON object that nests at most 64 levels deep.',
  },
  DOCUMENT_NOT_CANONICAL: {
    title: 'The bytes are not canonical JSON (RFC 8785)',
    advice: 'Write the document with canonicalize(), so that every reader hashes the same bytes.',
  },
  DOCUMENT_INVALID: {
    title: 'The document breaks its schema',
    advice: 'Correct the members named; /docs/formats of a node states each form.',
  },

  // Sealed content
  ENCRYPTION_KEY_INVALID: {
    title: 'This is not a usable X25519 key',
    advice: 'Use a JWK of kty OKP and crv X25519 whose kid is its RFC 7638 thumbprint.',
  },
  CONTENT_EMPTY: {
    title: 'There is nothing to seal',
    advice: 'Write at least one byte.',
  },
  SEALED_CONTEXT_MISMATCH: {
    title: 'The content was sealed for another context',
    advice:
      'Compare the facts of the message or order with those it was sealed with; do not use it.',
  },
  SEALED_NOT_FOR_KEY: {
    title: 'The content is not sealed to this key',
    advice:
      'Open it with the key whose kid stands with a recipient, or ask for it to be sealed again.',
  },
  SEALED_UNREADABLE: {
    title: 'The sealed content was changed, or its recipient entry is forged',
    advice: 'Fetch it from another origin, or ask the sender for it again.',
  },

  // Portable memory
  MEMORY_TOO_LARGE: {
    title: 'The memory is too large',
    advice: 'Keep at most 1,024 chunks of 1 MiB; put what rarely changes into blobs of its own.',
  },
  MEMORY_WRONG_AGENT: {
    title: 'The memory belongs to another agent',
    advice: 'Take the manifest that the checkpoint of this agent names.',
  },
  MEMORY_WRONG_GENERATION: {
    title: 'The memory is of another generation',
    advice: 'Take the manifest that the checkpoint of this generation names.',
  },
  MEMORY_MANIFEST_INCONSISTENT: {
    title: 'The manifest contradicts itself',
    advice: 'Compare chunks, chunksRoot and byteLength; take the manifest from another replica.',
  },
  MEMORY_CHUNK_MISSING: {
    title: 'A chunk of the memory cannot be had',
    advice: 'Ask another replica for the blob that the manifest names at this index.',
  },
  MEMORY_CHUNK_MISMATCH: {
    title: 'A chunk differs from the one in the manifest',
    advice: 'Ask another replica for it.',
  },
  MEMORY_CHUNK_UNREADABLE: {
    title: 'A chunk cannot be decrypted at this place',
    advice: 'The manifest joins what was not encrypted together: go back one generation.',
  },
  MEMORY_STATE_MISMATCH: {
    title: 'The decrypted memory does not have the stateRoot of its manifest',
    advice: 'The writer of the checkpoint made a mistake: go back one generation.',
  },

  // Acceptance
  SCOPE_UNJUDGEABLE: {
    title: 'A condition of the acceptance cannot be judged',
    advice:
      'Use the kinds sha256, json-schema, chain-replay and review; in a schema valid keywords of 2020-12, local references without cycles, at most 64 levels and 20,000 parts, and patterns as docs/formats.md allows; and a smaller maxBytes if judging costs too much.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** Codes of documents in blobs, such as scopes and memory. */
export type FormatErrorCode = keyof typeof table;

export const FORMAT_ERROR_TABLE: Readonly<Record<FormatErrorCode, ErrorEntry>> = table;

/** A refusal of a document. Branch on `code`, show `message`. */
export class FormatError extends NetSdkError {
  override name = 'FormatError';
  /** Stable code to branch on. */
  declare readonly code: FormatErrorCode;
  /** JSON Pointer; '' for the whole. */
  readonly path: string;

  /** What is wrong there. */
  readonly detail: string;

  constructor(code: FormatErrorCode, path = '', detail = '') {
    const { title, advice } = table[code];
    const where = [path, detail].filter(Boolean).join(' ');
    super(`${title}${where && ` (${where})`}. ${advice}`, { code, data: { path, detail } });
    this.path = path;
    this.detail = detail;
  }
}
