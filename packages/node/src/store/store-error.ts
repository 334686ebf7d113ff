/** A database that this version cannot use, said in a sentence for its operator. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Somebody else has written a block of this height: a block is never written over another. */
export class BlockExistsError extends Error {
  override name = 'BlockExistsError';

  constructor(height: number) {
    super(`the database holds a block of height ${height} already`);
  }
}
