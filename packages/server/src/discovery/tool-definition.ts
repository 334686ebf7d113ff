import type { LocalDocument, ReadDocument } from '@netd/documents';
import type { Selection } from './selection.ts';

export interface ToolDefinition {
  name: `net_${string}`;
  title: string;
  /** For the choosing model: what it answers, when to call it, and which tool comes next. */
  description: string;
  /** As over HTTP. Its parameters are the tool's arguments. */
  document: ReadDocument | (LocalDocument & { route: string });
  /** Set by the tool itself. */
  fixed?: Record<string, string>;
  /** Data first. */
  selection: Selection;
  /** The node writes these, beside those that marked.ts knows. Everything else is marked as content of others. */
  own?: readonly string[];
  next: readonly NextTool[];
}

export interface NextTool {
  tool: `net_${string}`;
  /** JSON Pointers into the document. The call is omitted if one has no value. */
  arguments?: Record<string, `/${string}`>;
}
