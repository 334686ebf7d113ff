export class StoreError extends Error {
  override name = 'StoreError';
}

export class BlockExistsError extends Error {
  override name = 'BlockExistsError';

  constructor(height: number) {
    super(`the database holds a block of height ${height} already`);
  }
}

export class UnfitKeyError extends Error {
  override name = 'UnfitKeyError';
}
