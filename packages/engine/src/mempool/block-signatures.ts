/**
 * The signatures of a block, verified all at once ahead of its execution: of one that a validator proposes, of one that is
 * replayed, of one that a follower takes.
 */
import {
  sessionKey,
  type AuthorityRecord,
  type SessionRecord,
  type StateReader,
  type Submission,
} from '@netd/ledger';
import {
  publicKeyHash,
  rawKeyFromPem,
  signatureBytes,
  type SelfSigned,
  type SignedIntent,
} from '@netd/protocol';
import { LRUCache } from 'lru-cache';
import type { SignatureToVerify, VerifierPool } from './verifier-pool.ts';

/** What the verifiers are asked, and of which submission under which key. */
interface SignedSubmission {
  submission: Submission;
  publicKey: string;
  signature: SignatureToVerify;
}

/** Keys remembered of blocks that are not on disk yet. */
const DECLARED_KEYS = 8_192;

export class BlockSignatures {
  private readonly state: Pick<StateReader, 'get'>;
  private readonly verifier: VerifierPool;
  /** The keys that envelopes have brought along, by actor: a newcomer acts in the next blocks. */
  private readonly declared = new LRUCache<string, string>({ max: DECLARED_KEYS });

  /** @param state knows the keys in force, or nearly: execution has the last word on them */
  constructor(state: Pick<StateReader, 'get'>, verifier: VerifierPool) {
    this.state = state;
    this.verifier = verifier;
  }

  /**
   * Notes with each submission the key under which its signature verifies, where that is not known. The key is the one known
   * so far: where that does not settle it (it has just been replaced, say), execution verifies by itself.
   */
  async verifyAll(submissions: readonly Submission[]): Promise<void> {
    const signed = submissions.flatMap((submission) => this.signedOne(submission));
    const verdicts = await this.verifier.verifyAll(signed.map(({ signature }) => signature));
    for (const [index, { submission, publicKey }] of signed.entries()) {
      if (verdicts[index] === 'valid') submission.verifiedWith = publicKey;
    }
  }

  private signedOne(submission: Submission): SignedSubmission[] {
    const { kind, envelope, encoded, verifiedWith } = submission;
    if (kind === 'open' || verifiedWith !== null) return [];
    const { actorId, sessionId, signature } = envelope as unknown as SignedIntent;
    const isNewKey = kind !== 'intent';
    const publicKey = isNewKey
      ? declaredKey(envelope as unknown as SelfSigned)
      : this.currentKey(actorId, sessionId);
    if (isNewKey && publicKey !== null) this.declared.set(actorId, publicKey);
    const key = publicKey === null ? null : rawKeyFromPem(publicKey);
    const bytes = signatureBytes(signature);
    if (publicKey === null || !key || !bytes) return [];
    const message = encoded.signedBytes;
    return [{ submission, publicKey, signature: { key, message, signature: bytes, isNewKey } }];
  }

  private currentKey(actorId: string, sessionId: string | undefined): string | null {
    const holder = this.state.get(
      sessionId === undefined
        ? `authority/${actorId}`
        : `session/${sessionKey(actorId, sessionId)}`,
    ) as AuthorityRecord | SessionRecord | undefined;
    if (holder) return holder.publicKey;
    return (sessionId === undefined ? this.declared.get(actorId) : undefined) ?? null;
  }
}

/** The key an envelope brings, where its hash is right; null leaves the refusal to the ledger. */
function declaredKey({ publicKey, publicKeyHash: declared }: SelfSigned): string | null {
  return declared === publicKeyHash(publicKey) ? publicKey : null;
}
