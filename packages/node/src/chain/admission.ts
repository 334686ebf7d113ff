/**
 * From bytes to a place in the queue: parse once, check the schema, recognise what is committed already, verify the
 * signature off the main thread. How much may wait here is bounded, before any work is done.
 */
import {
  requireDeclaredKey,
  requireSoundKey,
  RuleError,
  type AuthorityRecord,
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
  type JsonObject,
  type OpenTransition,
  type ParsedJson,
  type Receipt,
  type SelfSigned,
  type SignedIntent,
} from '@netd/protocol';
import type { Store } from '../store/store.ts';
import type { Chain } from './chain.ts';
import type { VerifierPool } from './verifier-pool.ts';
import { Refusal, refusalOf, twinRefusal } from './refusal.ts';

export interface AdmissionLimits {
  /** Envelopes that may wait for verification or a block, all together. */
  total: number;
  /** Of these, the envelopes of one address. */
  perAddress: number;
}

export const DEFAULT_ADMISSION_LIMITS: AdmissionLimits = { total: 20_000, perAddress: 5_000 };

export interface CommittedEnvelope {
  receipt: Receipt;
  envelope: JsonObject;
}

export class Admission {
  private readonly chain: Chain;
  private readonly store: Store;
  private readonly verifier: VerifierPool;
  private readonly limits: AdmissionLimits;
  private waiting = 0;
  private lastArrival: Promise<void> = Promise.resolve();
  private readonly waitingByAddress = new Map<string, number>();

  constructor(chain: Chain, store: Store, verifier: VerifierPool, limits: AdmissionLimits) {
    this.chain = chain;
    this.store = store;
    this.verifier = verifier;
    this.limits = limits;
  }

  get waitingCount(): number {
    return this.waiting;
  }

  /**
   * Brings one envelope into the chain.
   * @param body the bytes as they arrived
   * @param address whose share of the queue it takes
   * @param screen refuses by throwing what does not belong on this way; answers the open transition that a bare payload
   *   stands for
   * @returns receipt and envelope, once executed, durable and certified
   * @throws Refusal with the code and places of what is wrong; nothing was written then
   */
  async submit(
    kind: Submission['kind'],
    body: Uint8Array,
    address: string,
    screen?: (envelope: JsonObject) => OpenTransition | null,
  ): Promise<CommittedEnvelope> {
    const mine = this.waitingByAddress.get(address) ?? 0;
    if (this.waiting >= this.limits.total || mine >= this.limits.perAddress) {
      throw new Refusal('OVERLOADED', { retryAfter: 1 });
    }
    this.waiting++;
    this.waitingByAddress.set(address, mine + 1);
    try {
      const parsed = parseEnvelope(body);
      const open = screen?.(parsed.envelope);
      return open
        ? await this.commit('open', { envelope: open, canonical: null })
        : await this.commit(kind, parsed);
    } finally {
      this.waiting--;
      const left = (this.waitingByAddress.get(address) ?? 1) - 1;
      if (left > 0) this.waitingByAddress.set(address, left);
      else this.waitingByAddress.delete(address);
    }
  }

  private async commit(
    kind: Submission['kind'],
    { envelope, canonical }: ParsedEnvelope,
  ): Promise<CommittedEnvelope> {
    const violations = envelopeViolations(kind, envelope);
    if (violations) throw new Refusal('ENVELOPE_INVALID', { errors: violations });
    const encoded = encodeEnvelope(envelope, canonical);
    // A bare payload of the full size grows beyond it as a transition, which no replay would read.
    if (kind === 'open' && Buffer.byteLength(encoded.text) > MAX_ENVELOPE_BYTES) {
      throw new Refusal('BODY_TOO_LARGE');
    }
    const verification = requireVerified(this.verifier, kind, envelope, encoded, (actorId) => {
      return this.chain.executedState.get(`authority/${actorId}`) as AuthorityRecord | undefined;
    }).catch((error: unknown) => {
      this.refuseTwin(kind, encoded);
      throw error;
    });
    const result = await this.inOrderOfArrival(verification, (verifiedWith) =>
      this.chain.submit({ kind, envelope, encoded, verifiedWith }),
    );
    if (result.status === 'committed') return { receipt: result.receipt, envelope };
    if (result.status === 'refused') throw refusalOf(result.refusal, result.receipt);
    if (result.status === 'failed') throw result.error;
    throw new Refusal('STORAGE_UNAVAILABLE', { retryAfter: 2 });
  }

  /**
   * Verifications finish in any order; the queue keeps the order in which envelopes arrived, so that
   * an agent may send sequences 1 and 2 without waiting in between.
   */
  private async inOrderOfArrival<Verified, Result>(
    verification: Promise<Verified>,
    enqueue: (verified: Verified) => Promise<Result>,
  ): Promise<Result> {
    const previous = this.lastArrival;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.lastArrival = promise;
    let result: Promise<Result>;
    try {
      const verified = await verification;
      await previous;
      result = enqueue(verified);
    } catch (error) {
      // Whoever comes next still waits for those before this one.
      void previous.then(resolve);
      throw error;
    }
    resolve();
    return result;
  }

  /**
   * A byte-identical committed envelope is answered with its receipt, whatever has become of its key since. Only what is
   * refused is looked up: the chain does the same with what it refuses, and no twin gets past the rules.
   */
  private refuseTwin(kind: Submission['kind'], { transitionHash }: EncodedEnvelope): void {
    if (!this.store.hasTransition(transitionHash)) return;
    const snapshot = this.store.snapshot();
    try {
      const receipt = snapshot.receipt(transitionHash);
      throw refusalOf(twinRefusal(kind), receipt);
    } finally {
      snapshot.close();
    }
  }
}

export interface ParsedEnvelope {
  envelope: JsonObject;
  canonical: CanonicalText | null;
}

/**
 * The JSON object in the bytes.
 * @throws Refusal ENVELOPE_INVALID with the place and the reason, BODY_TOO_LARGE
 */
export function parseEnvelope(body: Uint8Array): ParsedEnvelope {
  if (body.length > MAX_ENVELOPE_BYTES) throw new Refusal('BODY_TOO_LARGE');
  let parsed: ParsedJson;
  try {
    parsed = parseStrictJsonText(body);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new Refusal('ENVELOPE_INVALID', {
      message: error.message,
      errors: [{ path: error.path, message: error.message }],
    });
  }
  const { value, canonical } = parsed;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Refusal('ENVELOPE_INVALID', {
      errors: [{ path: '', message: 'must be a JSON object' }],
    });
  }
  return { envelope: value, canonical };
}

/**
 * Verifies the signature under the key in force and answers that key; execution compares it again. Null for what
 * nobody signs.
 */
async function requireVerified(
  verifier: VerifierPool,
  kind: Submission['kind'],
  envelope: JsonObject,
  { signedBytes }: EncodedEnvelope,
  authorityOf: (actorId: string) => AuthorityRecord | undefined,
): Promise<string | null> {
  if (kind === 'open') return null;
  try {
    if (kind !== 'intent') {
      const selfSigned = envelope as unknown as SelfSigned;
      const { publicKey, signature } = selfSigned;
      const key = requireDeclaredKey(selfSigned);
      if ((await verdictOn(verifier, key, signedBytes, signature, true)) === 'unsound-key') {
        requireSoundKey(publicKey, '/publicKey');
      }
      return publicKey;
    }
    const { actorId, signature } = envelope as unknown as SignedIntent;
    const authority = authorityOf(actorId);
    if (!authority) throw new RuleError('ACTOR_UNKNOWN', { path: '/actorId' });
    const key = rawKeyFromPem(authority.publicKey);
    if (!key) throw new Error(`the authority ${actorId} has an unreadable key`);
    await verdictOn(verifier, key, signedBytes, signature, false);
    return authority.publicKey;
  } catch (error) {
    if (error instanceof RuleError) throw refusalOf(error);
    throw error;
  }
}

/** @throws RuleError SIGNATURE_INVALID */
async function verdictOn(
  verifier: VerifierPool,
  key: Uint8Array,
  message: Uint8Array,
  signatureText: string,
  isNewKey: boolean,
): Promise<'valid' | 'unsound-key'> {
  const signature = signatureBytes(signatureText);
  const verdict = signature
    ? await verifier.verify({ key, message, signature, isNewKey })
    : 'bad-signature';
  if (verdict === 'bad-signature') throw new RuleError('SIGNATURE_INVALID', { path: '/signature' });
  return verdict;
}
