/** A tool: a read document, and the part of it for models. */
import type { LocalDocument, ReadDocument } from '@netd/documents';
import type { Selection } from './selection.ts';

export interface ToolDefinition {
  name: `net_${string}`;
  title: string;
  /** For the choosing model: what it answers, when to call it, and which tool comes next. */
  description: string;
  /** The same as HTTP serves. Its parameters are the tool's arguments. */
  document: ReadDocument | (LocalDocument & { route: string });
  /** Parameters that the tool sets itself. */
  fixed?: Record<string, string>;
  /** The selected members, data first. */
  selection: Selection;
  /** Paths that the node writes, beside those that marked.ts knows. Everything else is marked as content of others. */
  own?: readonly string[];
  next: readonly NextTool[];
}

export interface NextTool {
  tool: `net_${string}`;
  /** JSON Pointers to the arguments in the document. The call is omitted if one has no value. */
  arguments?: Record<string, `/${string}`>;
}
