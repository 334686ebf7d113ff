/** Documents that show facts of the node that answers, not of a snapshot alone: they are never cached. */
import type { ValidatorSet } from '@netd/protocol';
import type { TObject } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';

/** What such a document is made of, beside a snapshot. */
interface LocalFacts {
  /** Runs a read on the newest snapshot, which is closed afterwards. */
  read<Result>(work: (snapshot: Snapshot) => Result): Result;
  node: {
    chain: { validatorSetAt: (height: number) => ValidatorSet };
    /** Milliseconds. */
    blockTime: number;
    idleBlockTime: number;
  };
  options: { publicUrl: string };
}

export interface LocalDocument {
  /** The schema identifier, as NET-NETWORK-STATUS/1. */
  readonly name: string;
  readonly schema: TObject;
  renderLocal: (facts: LocalFacts) => object;
}
