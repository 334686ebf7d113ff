/**
 * Shapes that recur on the wire. Patterns match the whole string; lengths count code points. The same objects
 * validate, type, and describe (OpenAPI, MCP, docs).
 */
import { Type, type Static } from './type.ts';
import { MAX_NONCE_LENGTH, MAX_STRING_LENGTH, MAX_URI_LENGTH } from './limits.ts';

export const HASH_PATTERN = '^[a-f0-9]{64}$';
export const ACTOR_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{1,63}$';
/** A chain id also names a directory of keys, so it must not contain a slash. */
export const CHAIN_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{1,49}$';
export const RECORD_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$';
export const TOKEN_ID_PATTERN = '^tok-[a-z0-9][a-z0-9-]{2,40}$';

/**
 * A fixed ASCII form, because URL parsers differ between languages. It allows no credentials, fragment, or
 * international host name (use xn--).
 */
export const HTTPS_URI_PATTERN =
  '^https://[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*' +
  "(:[0-9]{1,5})?([/?]([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$";

/** RFC 3986's pchar without `@`. */
const PLAIN = "A-Za-z0-9._~!$&'()*+,;=:-";
const ENCODED = '%[0-9A-Fa-f]{2}';
const any = (further: string): string => `([${further}${PLAIN}]|${ENCODED})`;

/**
 * A fixed ASCII form of any absolute URI (RFC 3986). `@` may follow a host only, because parsers disagree
 * about it unless exactly two slashes precede.
 */
export const URI_PATTERN =
  '^[A-Za-z][A-Za-z0-9+.-]*:' +
  `(//(\\[[0-9A-Fa-f:.]+\\](:[0-9]{0,5})?|${any('')}+)(/${any('@/')}*)?` +
  `|///${any('/')}*|/?${any('')}${any('/')}*|[?]${any('@/?')}+)` +
  `([?]${any('@/?')}*)?(#${any('@/?')}*)?$`;

export const TIMESTAMP_PATTERN =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$';

export const Hash = Type.String({
  title: 'Hash',
  pattern: HASH_PATTERN,
  description: 'Lowercase hex SHA-256.',
});

export const ActorId = Type.String({
  title: 'ActorId',
  pattern: ACTOR_ID_PATTERN,
  description:
    '2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit.',
});

export const ChainId = Type.String({ pattern: CHAIN_ID_PATTERN });

export const RecordId = Type.String({
  title: 'RecordId',
  pattern: RECORD_ID_PATTERN,
  description:
    '1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit.',
});

export const HttpsUri = Type.String({
  title: 'HttpsUri',
  pattern: HTTPS_URI_PATTERN,
  maxLength: MAX_URI_LENGTH,
  description: 'An https URI in ASCII, without credentials and without a fragment.',
});

export const Uri = Type.String({
  title: 'Uri',
  pattern: URI_PATTERN,
  maxLength: MAX_STRING_LENGTH,
  description: 'An absolute URI in ASCII, without credentials.',
});

export const Timestamp = Type.String({
  title: 'Timestamp',
  pattern: TIMESTAMP_PATTERN,
  description: 'ISO 8601 UTC with milliseconds.',
});

export const Height = Type.Integer({
  title: 'Height',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'A block height.',
});

export const Amount = Type.Integer({
  title: 'Amount',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'An amount in unet; 1 NET is 1,000,000 unet.',
});

/** Wider than 32 bits, which generated clients must know. May be 0. */
export const Unet = Type.Integer({
  title: 'Unet',
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'In unet; 1 NET is 1,000,000 unet.',
});

/** True if the integers of a schema are unet. Amounts of tokens are not. */
export const isUnet = ({
  type,
  title,
  description = '',
}: {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly description?: string;
}): boolean => type === 'integer' && (title === 'Amount' || /\bin unet\b/i.test(description));

export const Nonce = Type.String({
  title: 'Nonce',
  minLength: 1,
  maxLength: MAX_NONCE_LENGTH,
  description:
    'Fresh for every envelope of an actor; a committed one is refused until it has expired.',
});

/** Text whose content the protocol does not check. */
export const FreeString = Type.String({ title: 'FreeString', maxLength: MAX_STRING_LENGTH });

export const PublicKeyPem = Type.String({
  title: 'PublicKeyPem',
  maxLength: 256,
  description: 'Ed25519 public key, SPKI PEM.',
});

export const ChainPosition = Type.Object(
  { height: Height, index: Type.Integer({ minimum: 0 }) },
  {
    title: 'ChainPosition',
    additionalProperties: false,
    description: 'Block height and index of the transition in it.',
  },
);
export type ChainPosition = Static<typeof ChainPosition>;
