/** Documents with facts about the node itself. They are never cached. */
import type { ValidatorSet } from '@netd/protocol';
import type { TObject } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';

interface LocalFacts {
  read<Result>(work: (snapshot: Snapshot) => Result): Result;
  node: {
    chain: { validatorSetAt: (height: number) => ValidatorSet };
    /** In milliseconds. */
    blockTime: number;
    idleBlockTime: number;
  };
  options: { publicUrl: string };
}

export interface LocalDocument {
  /** For example NET-NETWORK-STATUS/1. */
  readonly name: string;
  readonly schema: TObject;
  renderLocal: (facts: LocalFacts) => object;
}
