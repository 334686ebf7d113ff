/**
 * The entries set last: at least so many, at most twice as many. Of two maps the newer one takes all that is set, and once it
 * is full it is the older one. To take the oldest entry out of one map instead looks at every place whose entry has gone
 * before, which costs thirty times as much with 8,192 of them.
 */
export class RecentMap<Key, Value> {
  private readonly atLeast: number;
  private newer = new Map<Key, Value>();
  private older = new Map<Key, Value>();

  constructor(atLeast: number) {
    this.atLeast = atLeast;
  }

  get(key: Key): Value | undefined {
    return this.newer.get(key) ?? this.older.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.newer.size >= this.atLeast) {
      this.older = this.newer;
      this.newer = new Map();
    }
    this.newer.set(key, value);
  }

  delete(key: Key): void {
    this.newer.delete(key);
    this.older.delete(key);
  }
}
