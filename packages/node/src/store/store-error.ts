/** A database that this version cannot use, said in a sentence for its operator. */
export class StoreError extends Error {
  override name = 'StoreError';
}
