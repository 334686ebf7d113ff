import type { LocalDocument, ReadDocument } from '@netd/documents';
import type { Selection } from './selection.ts';

export interface WrittenTool {
  title: string;
  description: string;
  document: ReadDocument | (LocalDocument & { route: string });
  fixed?: Readonly<Record<string, string>>;
  /** Members of the document, data first, as in `orders(orderId funding) timeline(events[id])`. */
  selection: string;
  /**
   * Members that the node writes, besides those that marked.ts knows. All others are marked as content of
   * others.
   */
  own?: readonly string[];
  /**
   * Tools to call next. A JSON pointer into the document gives the argument; the call is omitted if it has no
   * value.
   */
  next: readonly (`net_${string}` | `net_${string} /${string}`)[];
}

export interface ToolDefinition extends Omit<WrittenTool, 'selection'> {
  name: `net_${string}`;
  selection: Selection;
}
