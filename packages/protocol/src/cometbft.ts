/**
 * The bytes that validators of CometBFT 0.38 hash and sign, as in its `types/block.go`,
 * `types/validator_set.go` and `types/canonical.go`.
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { checkSignature } from '#platform';
import { bytesToHex, hexToBytes, utf8Bytes } from './bytes.ts';
import { rawKeyFromPem, signatureBytes } from './ed25519.ts';
import { sha256 } from './hash.ts';
import { Hash, Height } from './schemas.ts';
import { timestampToMs } from './time.ts';
import { Type, type Static } from './type.ts';
import type { Validator, ValidatorSet } from './validator-set.ts';

const closed = { additionalProperties: false };

/** Nanoseconds are signed too. CometBFT omits trailing zeros. */
export const NanoTimestamp = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,8}[1-9])?Z$',
  description: 'RFC 3339 in UTC, with up to nine digits of a second.',
});

/** A hash, which is empty before the first block. */
const HashOrNone = Type.String({ pattern: '^([a-f0-9]{64})?$' });

export const PartSetHeader = Type.Object(
  { total: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }), hash: HashOrNone },
  { title: 'PartSetHeader', ...closed, description: 'The parts a block is sent in.' },
);
export type PartSetHeader = Static<typeof PartSetHeader>;

export const CometbftHeader = Type.Object(
  {
    version: Type.Object(
      {
        block: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        app: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      },
      { title: 'CometbftVersion', ...closed },
    ),
    chainId: Type.String(),
    height: Height,
    time: NanoTimestamp,
    lastBlockId: Type.Object(
      { hash: HashOrNone, parts: PartSetHeader },
      { title: 'CometbftBlockId', ...closed },
    ),
    lastCommitHash: HashOrNone,
    dataHash: HashOrNone,
    validatorsHash: Hash,
    nextValidatorsHash: Hash,
    consensusHash: HashOrNone,
    appHash: Type.String({ pattern: '^([a-f0-9]{2}){0,64}$' }),
    lastResultsHash: HashOrNone,
    evidenceHash: HashOrNone,
    proposerAddress: Type.String({ pattern: '^[a-f0-9]{40}$' }),
  },
  {
    title: 'CometbftHeader',
    ...closed,
    description: 'A header of CometBFT: 14 fields; those that are bytes are in hex.',
  },
);
export type CometbftHeader = Static<typeof CometbftHeader>;

export const CometbftCommit = Type.Object(
  {
    header: CometbftHeader,
    round: Type.Integer({ minimum: 0, maximum: 0x7fff_ffff }),
    parts: PartSetHeader,
  },
  {
    title: 'CometbftCommit',
    ...closed,
    description:
      'The header of CometBFT that the votes are for. Its appHash is the certificateHash: the block of CometBFT that follows states what the one before it led to.',
  },
);
export type CometbftCommit = Static<typeof CometbftCommit>;

/** Returns the RFC 6962 root over the encoded fields, in hex. */
export function cometbftHeaderHash(header: CometbftHeader): string {
  const { version, lastBlockId } = header;
  return rootOf([
    message(unsigned(1, version.block), unsigned(2, version.app)),
    text(1, header.chainId),
    unsigned(1, header.height),
    timestamp(header.time),
    blockId(lastBlockId.hash, lastBlockId.parts),
    ...[
      header.lastCommitHash,
      header.dataHash,
      header.validatorsHash,
      header.nextValidatorsHash,
      header.consensusHash,
      header.appHash,
      header.lastResultsHash,
      header.evidenceHash,
      header.proposerAddress,
    ].map((hex) => hexBytes(1, hex)),
  ]);
}

export function cometbftAddress(rawKey: Uint8Array): string {
  return bytesToHex(sha256(rawKey).subarray(0, 20));
}

type KeyAndPower = Pick<Validator, 'consensusPublicKey' | 'votingPower'>;

/**
 * Orders validators by power, then by address.
 * @throws RangeError if a key is not Ed25519 in SPKI PEM
 */
export function cometbftValidatorsHash(validators: readonly KeyAndPower[]): string {
  const leaves = validators
    .map(({ consensusPublicKey, votingPower }) => {
      const key = rawKeyFromPem(consensusPublicKey);
      if (!key) throw new RangeError('a consensusPublicKey is not an Ed25519 key');
      return { key, votingPower, address: cometbftAddress(key) };
    })
    .toSorted((a, b) => b.votingPower - a.votingPower || (a.address < b.address ? -1 : 1))
    .map(({ key, votingPower }) => message(nested(1, bytes(1, key)), unsigned(2, votingPower)));
  return rootOf(leaves);
}

export function precommitBytes(
  { header, round, parts }: CometbftCommit,
  time: string,
  headerHash: string = cometbftHeaderHash(header),
): Uint8Array {
  const vote = message(
    unsigned(1, PRECOMMIT),
    fixed(2, header.height),
    fixed(3, round),
    nested(4, blockId(headerHash, parts)),
    nested(5, timestamp(time)),
    text(6, header.chainId),
  );
  return message(varint(vote.length), vote);
}

/**
 * Verifies Ed25519 by ZIP-215, as CometBFT does: with the cofactor, non-canonical encodings allowed, S < L.
 * Tries the faster native check first, which accepts a subset.
 */
export function verifyZip215(key: Uint8Array, signed: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  if (checkSignature(key, signed, signature)) return true;
  try {
    return ed25519.verify(signature, signed, key, { zip215: true });
  } catch {
    return false;
  }
}

export function isPrecommitted(
  commit: CometbftCommit,
  headerHash: string,
  { consensusPublicKey }: Validator,
  vote: { timestamp: string; signature: string },
): boolean {
  const [key, signature] = [rawKeyFromPem(consensusPublicKey), signatureBytes(vote.signature)];
  if (key === null || signature === null) return false;
  try {
    return verifyZip215(key, precommitBytes(commit, vote.timestamp, headerHash), signature);
  } catch {
    return false;
  }
}

/**
 * Returns why a later header does not follow from a trusted one, or null (the rule of CometBFT's light
 * client). The next header must have the set that the trusted one announces. For a later one, more than a
 * third of the trusted power must have signed. The caller must reject a trusted header older than the
 * unbonding time.
 * @param later verified with its own set
 */
export function trustStepFault(
  trusted: { header: CometbftHeader; set: ValidatorSet },
  later: { header: CometbftHeader; signers: readonly KeyAndPower[] },
): string | null {
  const [from, to] = [trusted.header, later.header];
  if (from.chainId !== to.chainId) return 'it is of another chain';
  if (to.height <= from.height) return 'it is not later than the trusted one';
  if (compareTimes(from.time, to.time) >= 0) return 'its time is not after that of the trusted one';
  if (to.height === from.height + 1) {
    return to.validatorsHash === from.nextValidatorsHash
      ? null
      : 'its validators are not those that the trusted one announces';
  }
  const powers = new Map(
    trusted.set.validators.map((each) => [each.consensusPublicKey, each.votingPower]),
  );
  const keys = new Set(later.signers.map(({ consensusPublicKey }) => consensusPublicKey));
  let power = 0n;
  for (const key of keys) power += BigInt(powers.get(key) ?? 0);
  const total = BigInt(trusted.set.totalVotingPower);
  return power * 3n > total
    ? null
    : `only ${power} of the trusted power ${total} has signed it, which is not more than a third`;
}

function compareTimes(a: string, b: string): number {
  const [left, right] = [instant(a), instant(b)];
  return left.seconds - right.seconds || left.nanos - right.nanos;
}

const PRECOMMIT = 2;
const NANO_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{0,8}[1-9]))?Z$/;

function instant(time: string): { seconds: number; nanos: number } {
  const [, whole, fraction = ''] = NANO_TIME.exec(time) ?? [];
  if (whole === undefined) throw new RangeError(`${time} is not a time with nanoseconds`);
  const seconds = timestampToMs(`${whole}.000Z`) / 1_000;
  return { seconds, nanos: Number(fraction.padEnd(9, '0')) };
}

// Minimal protobuf omits default values, but not messages that cannot be absent.

function message(...fields: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(fields.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const field of fields) {
    whole.set(field, at);
    at += field.length;
  }
  return whole;
}

function varint(value: number): Uint8Array {
  const found: number[] = [];
  let rest = BigInt(value);
  for (; rest > 0x7fn; rest >>= 7n) found.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.of(...found, Number(rest));
}

const NOTHING = new Uint8Array();
const VARINT = 0;
const FIXED = 1;
const LENGTH = 2;
const tag = (field: number, type: number): Uint8Array => Uint8Array.of((field << 3) | type);

const unsigned = (field: number, value: number): Uint8Array =>
  value === 0 ? NOTHING : message(tag(field, VARINT), varint(value));

function fixed(field: number, value: number): Uint8Array {
  if (value === 0) return NOTHING;
  const eight = new Uint8Array(8);
  new DataView(eight.buffer).setBigInt64(0, BigInt(value), true);
  return message(tag(field, FIXED), eight);
}

const nested = (field: number, inner: Uint8Array): Uint8Array =>
  message(tag(field, LENGTH), varint(inner.length), inner);

const bytes = (field: number, value: Uint8Array): Uint8Array =>
  value.length === 0 ? NOTHING : nested(field, value);

const hexBytes = (field: number, hex: string): Uint8Array => bytes(field, hexToBytes(hex));
const text = (field: number, value: string): Uint8Array => bytes(field, utf8Bytes(value));

function timestamp(time: string): Uint8Array {
  const { seconds, nanos } = instant(time);
  return message(unsigned(1, seconds), unsigned(2, nanos));
}

const blockId = (hash: string, { total, hash: partsHash }: PartSetHeader): Uint8Array =>
  message(hexBytes(1, hash), nested(2, message(unsigned(1, total), hexBytes(2, partsHash))));

/** Returns an RFC 6962 root over byte strings. For lists of hashes see merkle.ts. */
function rootOf(leaves: readonly Uint8Array[]): string {
  let level = leaves.map((leaf) => sha256(message(Uint8Array.of(0), leaf)));
  if (level.length === 0) return bytesToHex(sha256(''));
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left = NOTHING, right] = [level[i], level[i + 1]];
      above.push(right ? innerHash(left, right) : left);
    }
    level = above;
  }
  return bytesToHex(level[0] ?? NOTHING);
}

const innerHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(message(Uint8Array.of(1), left, right));
