/** Verifies signatures and counts pending ones, so that a simulation can wait for quiet. */
import { VerifierPool } from '@netd/engine';
import type { SignatureToVerify, SignatureVerdict } from '@netd/engine/testing';

export class CountingVerifier extends VerifierPool {
  pending = 0;

  override verify(signature: SignatureToVerify): Promise<SignatureVerdict> {
    return this.counted(super.verify(signature));
  }

  override verifyAll(signatures: readonly SignatureToVerify[]): Promise<SignatureVerdict[]> {
    return this.counted(super.verifyAll(signatures));
  }

  private async counted<Result>(work: Promise<Result>): Promise<Result> {
    this.pending++;
    try {
      return await work;
    } finally {
      this.pending--;
    }
  }
}
