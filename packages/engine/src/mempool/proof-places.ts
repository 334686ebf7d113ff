import { MAX_PROOF_STEPS, MAX_PROOF_STEPS_OF_BLOCK } from '@netd/protocol';
import { ApiError } from '../chain/api-error.ts';

/** Most waiting proofs. A block takes no more of full cost. */
const MOST = MAX_PROOF_STEPS_OF_BLOCK / MAX_PROOF_STEPS;
const MOST_OF_ADDRESS = MOST / 2;

/**
 * Bounds the proofs that wait for a block. A refused proof is judged too, but it costs its sender nothing, and no
 * block counts its steps.
 */
export class ProofPlaces {
  private readonly waiting: string[] = [];

  /**
   * Takes a place, and returns a function that frees it.
   * @throws ApiError OVERLOADED
   */
  take(address: string): () => void {
    const own = this.waiting.filter((each) => each === address).length;
    if (this.waiting.length >= MOST || own >= MOST_OF_ADDRESS) {
      throw new ApiError('OVERLOADED', { retryAfter: 1 });
    }
    this.waiting.push(address);
    return () => {
      this.waiting.splice(this.waiting.indexOf(address), 1);
    };
  }
}
