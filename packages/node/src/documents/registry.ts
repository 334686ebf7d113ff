/** Every read document that the frame serves: a document is one file and one line here. */
import type { ReadDocument } from './read-document.ts';
import { tokenDetail, tokenRegistry } from './token-registry.ts';

export const DOCUMENTS: readonly ReadDocument[] = [tokenRegistry, tokenDetail];
