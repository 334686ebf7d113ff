/** What the ledger does by itself when something falls due: transitions that nobody signs. */
import type { BlockContext, TransitionContext } from './action.ts';
import type { CollectionName } from './collections.ts';
import type { ReadableState } from './state.ts';

export interface SystemKind {
  /** One sentence for the documentation. */
  summary: string;
  /** Event types with what each says. */
  events: Readonly<Record<string, string>>;
  /** Cannot refuse: nobody would hear of it, and the block would not come about. */
  apply(context: TransitionContext, subject: string): void;
}

/** Which records of a collection open a block, as what. */
export interface SystemRule<Kind extends string = string> {
  collection: CollectionName;
  /** Up to where in the collection's order of due records the block has come. */
  until(block: BlockContext): number;
  /** How many open one block at most; the rest opens the next. */
  limit: number;
  /**
   * Whatever is due must be ready: a record that waits on would keep others from their turn. Null where neither this
   * record nor any behind it is ready, which is for collections whose order by height is their order by time.
   */
  kindOf(state: ReadableState, block: BlockContext, id: string): Kind | null;
}
