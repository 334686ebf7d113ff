/** An error whose message is for the operator. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Thrown instead of overwriting a block. */
export class BlockExistsError extends Error {
  override name = 'BlockExistsError';

  constructor(height: number) {
    super(`the database holds a block of height ${height} already`);
  }
}

export class UnfitKeyError extends Error {
  override name = 'UnfitKeyError';
}
