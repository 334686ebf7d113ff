import { EVENTS, type EventType } from '@netd/ledger';
import { HASH_PATTERN, Height, MAX_INDEX, ReceiptEvent, Timestamp } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import {
  ApiError,
  type EventFilter,
  matches,
  position,
  type Snapshot,
  type StoredEvent,
} from '@netd/engine/reads';
import { documentHead, documentSchema } from '../shared/facts.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../shared/page.ts';

export const EVENT_PAGE = 'NET-EVENT-PAGE/1';

const EVENT_TYPES = Object.keys(EVENTS) as EventType[];
export const EVENT_ID = '^(0|[1-9][0-9]{0,14})\\.(0|[1-9][0-9]{0,4})$';

const MAX_WATCHED = 64;
const SUBJECT = '(agent|order|type):[A-Za-z0-9._-]{1,128}';

export const EventPageQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: EVENT_ID,
      description:
        'The id of the last event seen; the feed goes on after it. Without it, from genesis.',
    }),
  ),
  before: Type.Optional(
    Type.String({
      pattern: EVENT_ID,
      description: 'Instead of `after`, for a page: events before this id, newest first.',
    }),
  ),
  agent: Type.Optional(Type.String({ maxLength: 64, description: 'Events that name this actor.' })),
  order: Type.Optional(
    Type.String({ maxLength: 128, description: 'Events that name this work order.' }),
  ),
  type: Type.Optional(Type.Enum(EVENT_TYPES, { description: 'Events of this type.' })),
  watch: Type.Optional(
    Type.String({
      pattern: `^${SUBJECT}(,${SUBJECT}){0,${MAX_WATCHED - 1}}$`,
      description:
        'For a stream, instead of agent, order and type: events that concern any of these subjects, as `agent:ada,type:WorkOrderCreated,order:o-1`. Each event lists in `watched` the subjects that it concerns.',
    }),
  ),
  genesisHash: Type.Optional(
    Type.String({
      pattern: HASH_PATTERN,
      description:
        'The genesis hash of the chain that the reader follows. If this node serves another one, it answers CURSOR_STALE. Events then have `blockHash` and `at`, the time of their block, and a page has `nextBlockHash`.',
    }),
  ),
  blockHash: Type.Optional(
    Type.String({
      pattern: HASH_PATTERN,
      description:
        'The hash of the block at the height of `after` or Last-Event-ID. If the block here is another one, the answer is CURSOR_STALE with the height to go on from.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }),
  ),
});
export type EventPageQuery = Static<typeof EventPageQuery>;

export const FeedEvent = exactly(
  {
    ...ReceiptEvent.properties,
    transitionIndex: Type.Integer(),
  },
  { title: 'Event' },
);

export const EventPage = documentSchema(
  EVENT_PAGE,
  {
    events: Type.Array(
      exactly({
        ...FeedEvent.properties,
        height: Height,
        blockHash: Type.Optional(
          Type.String({
            pattern: HASH_PATTERN,
            description: 'The hash of its block, if the request has `genesisHash`.',
          }),
        ),
        at: Type.Optional(Timestamp),
      }),
    ),
    next: Type.String({
      description:
        'Pass it as `after`, or as `before` if you asked with `before`, to continue from here.',
    }),
    more: Type.Boolean(),
    nextBlockHash: Type.Optional(
      Type.String({
        pattern: HASH_PATTERN,
        description:
          'The hash of the block of `next`, if the request has `genesisHash`: send it as `blockHash` with `after`.',
      }),
    ),
  },
  'A page of the event feed, oldest first; by `before`, newest first.',
);

export function eventFilterOf({ agent, order, type }: EventPageQuery): EventFilter {
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(order === undefined ? {} : { order }),
    ...(type === undefined ? {} : { type }),
  };
}

export function eventSubjectOf({ agent, order, type }: EventFilter): string | undefined {
  if (order !== undefined) return `order:${order}`;
  if (agent !== undefined) return `agent:${agent}`;
  return type === undefined ? undefined : `type:${type}`;
}

/** @throws ApiError PARAMETER_INVALID if the id is no valid position */
export function eventPositionOf(
  id: string | undefined,
  parameter: 'after' | 'before' = 'after',
): number {
  if (id === undefined) return -1;
  const [height = 0, index = 0] = id.split('.').map(Number);
  const at = position(height, index);
  if (!Number.isSafeInteger(at + 1) || index > MAX_INDEX) {
    throw new ApiError('PARAMETER_INVALID', {
      errors: [{ path: `/query/${parameter}`, message: 'is not the id of an event' }],
    });
  }
  return at;
}

export const eventIdOf = ({ height, index }: StoredEvent): string => `${height}.${index}`;

export function refuseBefore({ before }: EventPageQuery, message: string): void {
  if (before === undefined) return;
  throw new ApiError('PARAMETER_INVALID', { errors: [{ path: '/query/before', message }] });
}

/** Members of an event that say in which block it is. */
export interface BlockOfEvent {
  blockHash?: string;
  at?: string;
}

export function blockOfEvent(snapshot: Snapshot, height: number): BlockOfEvent {
  const block = snapshot.blockAt(height);
  if (!block) return {};
  return { blockHash: block.certificate.blockHash, at: block.header.timestamp };
}

/** @throws ApiError PARAMETER_INVALID if an id is invalid, or `after` and `before` are both present */
export function eventPage(snapshot: Snapshot, query: EventPageQuery): object {
  const { after, before, limit = DEFAULT_PAGE_SIZE } = query;
  if (after !== undefined) refuseBefore(query, 'is instead of `after`, not with it');
  const filter = eventFilterOf(query);
  const subject = eventSubjectOf(filter);
  const read =
    before === undefined
      ? snapshot.eventsAfter(eventPositionOf(after), limit + 1, subject)
      : snapshot.eventsBefore(eventPositionOf(before, 'before'), limit + 1, subject);
  const page = read.slice(0, limit);
  const last = page.at(-1);
  const next = last ? eventIdOf(last) : (after ?? before ?? '0.0');
  const blocks = new Map<number, BlockOfEvent>();
  const blockOf = (height: number): BlockOfEvent => {
    if (query.genesisHash === undefined) return {};
    const known = blocks.get(height) ?? blockOfEvent(snapshot, height);
    blocks.set(height, known);
    return known;
  };
  const { blockHash: nextBlockHash } = blockOf(Number(next.split('.')[0]));
  return {
    ...documentHead(snapshot, EVENT_PAGE),
    events: page
      .filter((event) => matches(event, filter))
      .map((event) => ({
        id: eventIdOf(event),
        height: event.height,
        type: event.type,
        transitionIndex: event.transitionIndex,
        data: event.data,
        ...blockOf(event.height),
      })),
    next,
    more: read.length > limit,
    ...(nextBlockHash === undefined ? {} : { nextBlockHash }),
  };
}
