/** A database that this version cannot use. The message is for the operator. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Another process has written a block of this height. Blocks are never overwritten. */
export class BlockExistsError extends Error {
  override name = 'BlockExistsError';

  constructor(height: number) {
    super(`the database holds a block of height ${height} already`);
  }
}

/** A key that the database does not accept. No block or state has one. */
export class UnfitKeyError extends Error {
  override name = 'UnfitKeyError';
}
