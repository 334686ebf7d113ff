import {
  requireDeclaredKey,
  requireNoKeyMaterial,
  requireValidKey,
  RuleError,
  sessionKey,
  substituteKey,
  type AuthorityRecord,
  type ChainRecord,
  type SessionRecord,
  type StateReader,
  type Submission,
} from '@netd/ledger';
import {
  encodeEnvelope,
  envelopeViolations,
  MAX_ENVELOPE_BYTES,
  parseStrictJsonText,
  rawKeyFromPem,
  signatureBytes,
  StrictJsonError,
  type CanonicalText,
  type EncodedEnvelope,
  type ErrorCode,
  type JsonObject,
  type OpenTransition,
  type ParsedJson,
  type Receipt,
  type SelfSigned,
  type SignedIntent,
} from '@netd/protocol';
import { ApiError, duplicateError, toApiError } from '../chain/api-error.ts';
import type { ChainHead } from '../chain/chain.ts';
import { explainRefusal } from '../chain/explain-refusal.ts';
import {
  AdmissionRefusal,
  newcomerAct,
  requireAdmissible,
  type AdmissionFacts,
  type Newcomers,
} from './admission-table.ts';
import type { Mempool, Reservation, UnavailableCause } from './mempool.ts';
import type { NewcomerLimits } from './newcomer-limits.ts';
import { ProofPlaces } from './proof-places.ts';
import type { VerifierPool } from './verifier-pool.ts';

export interface CommittedEnvelope {
  receipt: Receipt;
  envelope: JsonObject;
}

interface AdmissionHooks {
  /** Refuses by throwing. Returns the open transition of a bare payload. */
  screen?: ((envelope: JsonObject) => OpenTransition | null) | undefined;
  newcomers?: NewcomerLimits | undefined;
  /** Called for a laboratory's substitute key. Refuses by throwing. */
  onSubstitute?: (() => void) | undefined;
  /** Called when the envelope is valid and waits for a block. */
  onChecked?: (() => void) | undefined;
}

interface Way extends Pick<AdmissionHooks, 'onChecked' | 'onSubstitute'> {
  reservation: Reservation;
  address: string;
  newcomers: Newcomers | undefined;
}

interface AdmissionParts {
  mempool: Mempool;
  chain: ChainHead;
  store: StateReader;
  verifier: VerifierPool;
}

const UNAVAILABLE: Record<UnavailableCause | 'disk', ErrorCode> = {
  clock: 'CLOCK_NOT_BELIEVED',
  'no-quorum': 'NO_QUORUM',
  disk: 'STORAGE_UNAVAILABLE',
  stopping: 'NODE_NOT_READY',
};

export class Admission {
  private readonly parts: AdmissionParts;
  private readonly proofs = new ProofPlaces();

  constructor(parts: AdmissionParts) {
    this.parts = parts;
  }

  /**
   * @param address whose share of the queue the envelope uses
   * @returns receipt and envelope, once durable and certified
   * @throws ApiError if it is refused; then nothing was written
   */
  async submit(
    kind: Submission['kind'],
    body: Uint8Array,
    address: string,
    { screen, onSubstitute, onChecked, newcomers }: AdmissionHooks = {},
  ): Promise<CommittedEnvelope> {
    const reservation = this.parts.mempool.reserve(address, body.length);
    if (!reservation) throw new ApiError('OVERLOADED', { retryAfter: 1 });
    try {
      const parsed = parseEnvelope(body);
      const open = screen?.(parsed.envelope);
      const way = {
        reservation,
        address,
        onSubstitute,
        onChecked,
        newcomers: newcomers && { limits: newcomers, share: address },
      };
      return open
        ? await this.commit('open', { envelope: open, canonical: null }, way)
        : await this.commit(kind, parsed, way);
    } finally {
      reservation.release();
    }
  }

  private async commit(
    kind: Submission['kind'],
    { envelope, canonical }: ParsedEnvelope,
    { reservation, address, onSubstitute, onChecked, newcomers }: Way,
  ): Promise<CommittedEnvelope> {
    const violations = envelopeViolations(kind, envelope);
    if (violations) throw new ApiError('ENVELOPE_INVALID', { errors: violations });
    const encoded = encodeEnvelope(envelope, canonical);
    // A bare payload of full size can exceed the limit as a transition.
    if (kind === 'open' && Buffer.byteLength(encoded.text) > MAX_ENVELOPE_BYTES) {
      throw new ApiError('BODY_TOO_LARGE');
    }
    const verifiedWith = await this.verify(kind, envelope, encoded, onSubstitute);
    this.requireAdmissible({ kind, envelope, newcomers }, encoded);
    onChecked?.();
    const act = newcomers && newcomerAct({ kind, envelope }, this.parts.store);
    const giveBack = act ? newcomers?.limits.take(act, newcomers.share) : undefined;
    let result: Awaited<ReturnType<Reservation['submit']>> | null = null;
    let leave: (() => void) | undefined;
    try {
      if (envelope['action'] === 'proveVerdict') leave = this.proofs.take(address);
      result = await reservation.submit({ kind, envelope, encoded, verifiedWith });
    } finally {
      leave?.();
      if (result?.status !== 'committed') giveBack?.();
    }
    if (result.status === 'committed') return { receipt: result.receipt, envelope };
    if (result.status === 'refused') {
      const refusal = explainRefusal(result.refusal, envelope, this.parts.store);
      throw toApiError(refusal, result.receipt);
    }
    if (result.status === 'failed') throw result.error;
    throw new ApiError(UNAVAILABLE[result.cause ?? 'disk'], { retryAfter: 2 });
  }

  /**
   * @throws ApiError with the code of the admission table, or with the receipt if the envelope is already
   * committed
   */
  private requireAdmissible(
    {
      kind,
      envelope,
      newcomers,
    }: Pick<Submission, 'kind' | 'envelope'> & Pick<AdmissionFacts, 'newcomers'>,
    { transitionHash }: EncodedEnvelope,
  ): void {
    const { chain, store } = this.parts;
    const { setChanges, genesisSet } = chain.identity;
    const fixedValidators = setChanges ? 0 : genesisSet.validators.length;
    try {
      requireAdmissible({ kind, envelope }, { state: store, fixedValidators, newcomers });
    } catch (error) {
      const receipt = chain.receipt(transitionHash);
      if (receipt) throw toApiError(duplicateError(kind), receipt);
      if (!(error instanceof AdmissionRefusal)) throw error;
      const { code, data } = toApiError(error);
      const { retryAfter } = error;
      throw new ApiError(code, { ...data, ...(retryAfter === undefined ? {} : { retryAfter }) });
    }
  }

  /**
   * Returns the key that verifies the signature; null for an unsigned envelope. A refused envelope that is
   * committed already gets its receipt, even if its key has changed.
   */
  private async verify(
    kind: Submission['kind'],
    envelope: JsonObject,
    encoded: EncodedEnvelope,
    onSubstitute?: () => void,
  ): Promise<string | null> {
    if (kind === 'open') return null;
    const { chain, store, verifier } = this.parts;
    const isNewKey = kind !== 'intent';
    try {
      const { publicKey, key } = isNewKey
        ? ownKey(envelope)
        : // This key is a guess: execution checks the key again against its own state.
          keyInForce(envelope, store);
      const signature = signatureBytes((envelope as unknown as SignedIntent).signature);
      const message = encoded.signedBytes;
      const verdict = signature
        ? await verifier.verify({ key, message, signature, isNewKey })
        : 'bad-signature';
      if (verdict === 'bad-signature' && signature && !isNewKey) {
        const substitute = substituteKey(store.get('chain/identity') as ChainRecord);
        const other = substitute === null ? null : rawKeyFromPem(substitute);
        if (other) {
          const second = await verifier.verify({ key: other, message, signature, isNewKey });
          if (second === 'valid') {
            onSubstitute?.();
            return substitute;
          }
        }
      }
      if (verdict === 'bad-signature') {
        throw new RuleError('SIGNATURE_INVALID', { path: '/signature' });
      }
      if (verdict === 'invalid-key') requireValidKey(publicKey, '/publicKey');
      return publicKey;
    } catch (error) {
      const receipt = chain.receipt(encoded.transitionHash);
      if (receipt) throw toApiError(duplicateError(kind), receipt);
      throw error instanceof RuleError ? toApiError(error) : error;
    }
  }
}

export interface ParsedEnvelope {
  envelope: JsonObject;
  canonical: CanonicalText | null;
}

/** @throws ApiError ENVELOPE_INVALID with path and reason, KEY_MATERIAL_REFUSED, BODY_TOO_LARGE */
export function parseEnvelope(body: Uint8Array): ParsedEnvelope {
  if (body.length > MAX_ENVELOPE_BYTES) throw new ApiError('BODY_TOO_LARGE');
  let parsed: ParsedJson;
  try {
    parsed = parseStrictJsonText(body);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new ApiError('ENVELOPE_INVALID', {
      message: error.message,
      errors: [{ path: error.path, message: error.message }],
    });
  }
  const { value, canonical } = parsed;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new ApiError('ENVELOPE_INVALID', {
      errors: [{ path: '', message: 'must be a JSON object' }],
    });
  }
  // Check this before other refusals, which may quote the body.
  asApiError(() => requireNoKeyMaterial(value));
  return { envelope: value, canonical };
}

function asApiError(rule: () => void): void {
  try {
    rule();
  } catch (error) {
    throw error instanceof RuleError ? toApiError(error) : error;
  }
}

interface Signer {
  publicKey: string;
  key: Uint8Array;
}

function ownKey(envelope: JsonObject): Signer {
  const selfSigned = envelope as unknown as SelfSigned;
  return { publicKey: selfSigned.publicKey, key: requireDeclaredKey(selfSigned) };
}

function keyInForce(intent: JsonObject, state: StateReader): Signer {
  const { actorId, sessionId } = intent as unknown as SignedIntent;
  const authority = state.get(`authority/${actorId}`) as AuthorityRecord | undefined;
  if (!authority) throw new RuleError('ACTOR_UNKNOWN', { path: '/actorId' });
  let { publicKey } = authority;
  if (sessionId !== undefined) {
    const session = state.get(`session/${sessionKey(actorId, sessionId)}`);
    if (session === undefined) throw new RuleError('SESSION_UNKNOWN', { path: '/sessionId' });
    ({ publicKey } = session as SessionRecord);
  }
  const key = rawKeyFromPem(publicKey);
  if (!key) throw new Error(`the authority ${actorId} has an unreadable key`);
  return { publicKey, key };
}
