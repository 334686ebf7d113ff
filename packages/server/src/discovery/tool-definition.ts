/** What a tool is: a read document, and how much of it a model is given. */
import type { LocalDocument, ReadDocument } from '@netd/documents';
import type { Selection } from './selection.ts';

export interface ToolDefinition {
  name: `net_${string}`;
  title: string;
  /** For the model that chooses: what it answers, when to call it, and which tool comes next. */
  description: string;
  /** What HTTP answers with too, whole. Its parameters are the arguments of the tool. */
  document: ReadDocument | (LocalDocument & { route: string });
  /** Parameters that this tool has decided; the visitor gives the others. */
  fixed?: Record<string, string>;
  /** What of the document is answered, the data first. */
  selection: Selection;
  /** Paths of what in the document the node writes, beside what marked.ts knows: all else is marked as the words of others. */
  own?: readonly string[];
  /** What to call for more. */
  next: readonly NextTool[];
}

export interface NextTool {
  tool: `net_${string}`;
  /** Where in the document each argument stands, as JSON Pointers; the tool is not named where there is nothing. */
  arguments?: Record<string, `/${string}`>;
}
