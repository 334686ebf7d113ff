/** A database that this version cannot use, said in a sentence for its operator. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Another process has written a block of this height: a block is never written over another. */
export class BlockExistsError extends Error {
  override name = 'BlockExistsError';

  constructor(height: number) {
    super(`the database holds a block of height ${height} already`);
  }
}

/** What was to be written has a key that the database does not take: no block and no state of a chain has one. */
export class UnfitKeyError extends Error {
  override name = 'UnfitKeyError';
}
