import {
  type BlockQuery,
  blockText,
  DOCUMENTS,
  EVENT_PAGE,
  eventPage,
  ORDER_TASKS,
  orderTaskPage,
  type OrderTaskQuery,
  WHOLE_BLOCKS,
  wholeBlocksText,
} from '@netd/documents';
import { refuseMissingHistory, type Snapshot } from '@netd/engine';
import { JSON_TYPE, Text } from './encoded-document.ts';

type Render = (snapshot: Snapshot, parameters: Record<string, unknown>) => unknown;

export const BLOCK = 'NET-BLOCK-DETAIL/1';

const READS: ReadonlyMap<string, Render> = new Map<string, Render>([
  ...DOCUMENTS.map(({ name, render }): [string, Render] => [name, render]),
  [
    BLOCK,
    (snapshot, block) => new Text(JSON_TYPE, blockText(snapshot, block as unknown as BlockQuery)),
  ],
  [
    WHOLE_BLOCKS,
    (snapshot, query) =>
      new Text(JSON_TYPE, wholeBlocksText(snapshot, query as unknown as { heights: string })),
  ],
  [EVENT_PAGE, (snapshot, query) => eventPage(snapshot, query)],
  [ORDER_TASKS, (snapshot, query) => orderTaskPage(snapshot, query as unknown as OrderTaskQuery)],
]);

export class ReadQuery {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;

  constructor(name: string, parameters: Readonly<Record<string, unknown>>) {
    this.name = name;
    this.parameters = parameters;
  }

  get limit(): number {
    return Number(this.parameters['limit'] ?? 0);
  }
}

/**
 * Returns a JSON value or a Text.
 * @throws ApiError as a read document does
 */
export function renderQuery(
  snapshot: Snapshot,
  { name, parameters }: Pick<ReadQuery, 'name' | 'parameters'>,
): unknown {
  const render = READS.get(name);
  if (!render) throw new Error(`there is no read ${name}`);
  return refuseMissingHistory(() => render(snapshot, { ...parameters }));
}
