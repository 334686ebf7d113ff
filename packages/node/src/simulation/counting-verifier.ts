/** Verifies signatures as any node does, and knows how many are under way: whoever waits for quiet waits for them. */
import {
  VerifierPool,
  type SignatureToVerify,
  type SignatureVerdict,
} from '../mempool/verifier-pool.ts';

export class CountingVerifier extends VerifierPool {
  pending = 0;

  override async verify(signature: SignatureToVerify): Promise<SignatureVerdict> {
    this.pending++;
    try {
      return await super.verify(signature);
    } finally {
      this.pending--;
    }
  }
}
