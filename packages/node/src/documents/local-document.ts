/** Documents that show facts of this node and moment, not of a snapshot alone: they are never cached. */
import type { TObject } from 'typebox';
import type { HttpContext } from '../http/context.ts';

export interface LocalDocument {
  /** The schema identifier, as NET-NETWORK-STATUS/1. */
  readonly name: string;
  readonly schema: TObject;
  tell: (context: HttpContext) => object;
}
