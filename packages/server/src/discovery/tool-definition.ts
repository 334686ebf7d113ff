import type { LocalDocument, ReadDocument } from '@netd/documents';
import type { Selection } from './selection.ts';

export interface WrittenTool {
  title: string;
  description: string;
  /** As over HTTP. Its parameters are the tool's arguments. */
  document: ReadDocument | (LocalDocument & { route: string });
  fixed?: Readonly<Record<string, string>>;
  /** Members of the document, data first, as in `orders(orderId funding) timeline(events[id])`. */
  selection: string;
  /** Written by the node, beside what marked.ts knows. Everything else is marked as content of others. */
  own?: readonly string[];
  /**
   * Tools. A JSON Pointer into the document gives the parameter of the next document's path; if it has no value, the
   * call is omitted.
   */
  next: readonly (`net_${string}` | `net_${string} /${string}`)[];
}

export interface ToolDefinition extends Omit<WrittenTool, 'selection'> {
  name: `net_${string}`;
  selection: Selection;
}
