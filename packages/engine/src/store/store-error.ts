/** The message is for the operator. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Blocks are never overwritten. */
export class BlockExistsError extends Error {
  override name = 'BlockExistsError';

  constructor(height: number) {
    super(`the database holds a block of height ${height} already`);
  }
}

export class UnfitKeyError extends Error {
  override name = 'UnfitKeyError';
}
