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

interface SignedSubmission {
  submission: Submission;
  publicKey: string;
  signature: SignatureToVerify;
}

const DECLARED_KEYS = 8_192;

export class BlockSignatures {
  private readonly state: Pick<StateReader, 'get'>;
  private readonly verifier: VerifierPool;
  /** Keys of recently registered actors, who may act before their block is committed. */
  private readonly declared = new LRUCache<string, string>({ max: DECLARED_KEYS });

  /** @param state approximate; execution decides about keys */
  constructor(state: Pick<StateReader, 'get'>, verifier: VerifierPool) {
    this.state = state;
    this.verifier = verifier;
  }

  /** Sets `verifiedWith` on valid submissions. Execution verifies the others. */
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

function declaredKey({ publicKey, publicKeyHash: declared }: SelfSigned): string | null {
  return declared === publicKeyHash(publicKey) ? publicKey : null;
}
