import { EVENTS, type EventType } from '@netd/ledger';
import { Height } from '@netd/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from '@netd/protocol/type';
import { matches, type EventFilter } from '../../chain/event-feed.ts';
import { ApiError } from '../../chain/api-error.ts';
import { documentHead, documentSchema } from '../../documents/shared/facts.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../documents/shared/page.ts';
import type { Snapshot, StoredEvent } from '../../store/snapshot.ts';
import { position } from '../../store/tables.ts';
import { COMMON_HEADERS } from '../answer.ts';
import { byHeight } from '../cache-policy.ts';
import { CatchUp, type ReadPage } from '../catch-up.ts';
import type { HttpContext, Routes } from '../context.ts';
import { found, problems } from '../schemas.ts';
import { rateLimitKey } from '../submit.ts';

const EVENT_TYPES = Object.keys(EVENTS) as EventType[];
const EventId = '^(0|[1-9][0-9]{0,14})\\.(0|[1-9][0-9]{0,4})$';

const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: EventId,
      description:
        'The id of the last event seen; the feed goes on after it. Without it, from genesis.',
    }),
  ),
  agent: Type.Optional(Type.String({ maxLength: 64, description: 'Events that name this actor.' })),
  order: Type.Optional(
    Type.String({ maxLength: 128, description: 'Events that name this work order.' }),
  ),
  type: Type.Optional(Type.Enum(EVENT_TYPES, { description: 'Events of this type.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }),
  ),
});
type EventsQuery = Static<typeof EventsQuery>;

const EventPage = documentSchema(
  'NET-EVENT-PAGE/1',
  {
    events: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: '`height.index`' }),
          height: Height,
          type: Type.String(),
          transitionIndex: Type.Integer(),
          data: Type.Object({}, { additionalProperties: true }),
        },
        { additionalProperties: false },
      ),
      { description: 'Oldest first.' },
    ),
    next: Type.String({
      description: 'Pass it as `after` to go on from here, now or when there is more.',
    }),
    more: Type.Boolean({ description: 'Whether more events are there already.' }),
  },
  'A page of the event feed, oldest first.',
);

const HEARTBEAT_MILLISECONDS = 15_000;

export const eventRoutes: Routes = (app, context) => {
  const streams = new Map<string, number>();
  const open = new Set<FastifyReply>();
  const { limits } = context;
  const catchUp = new CatchUp(limits);
  app.addHook('preClose', () => {
    for (const reply of open) reply.raw.end();
  });

  app.get<{ Querystring: EventsQuery }>(
    '/v1/events',
    {
      schema: {
        operationId: 'listEvents',
        tags: ['events'],
        summary: 'Events as a page, or live with Accept: text/event-stream',
        querystring: EventsQuery,
        response: {
          ...found({
            ...EventPage,
            description:
              'A page of the feed. With Accept: text/event-stream the same events as server-sent events, resumable by Last-Event-ID.',
          }),
          ...problems(429),
        },
      },
    },
    (request, reply) => {
      // A stream has no end, so HEAD asks for the page.
      const wantsStream =
        request.method === 'GET' && (request.headers.accept ?? '').includes('text/event-stream');
      if (!wantsStream) return sendPage(context, request, reply);
      const share = rateLimitKey(request.ip);
      const mine = streams.get(share) ?? 0;
      if (open.size >= limits.streams) throw new ApiError('OVERLOADED', { retryAfter: 30 });
      if (mine >= limits.streamsPerAddress) throw new ApiError('RATE_LIMITED', { retryAfter: 30 });
      streams.set(share, mine + 1);
      open.add(reply);
      reply.raw.once('close', () => {
        open.delete(reply);
        const left = (streams.get(share) ?? 1) - 1;
        if (left > 0) streams.set(share, left);
        else streams.delete(share);
      });
      return openStream(context, catchUp, request, reply);
    },
  );
};

function filterOf({ agent, order, type }: EventsQuery): EventFilter {
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(order === undefined ? {} : { order }),
    ...(type === undefined ? {} : { type }),
  };
}

function subjectOf({ agent, order, type }: EventFilter): string | undefined {
  if (order !== undefined) return `order:${order}`;
  if (agent !== undefined) return `agent:${agent}`;
  return type === undefined ? undefined : `type:${type}`;
}

/** @throws ApiError PARAMETER_INVALID where the id lies outside what a position can hold */
function positionOf(id: string | undefined): number {
  if (id === undefined) return -1;
  const [height = 0, index = 0] = id.split('.').map(Number);
  const at = position(height, index);
  if (!Number.isSafeInteger(at + 1) || index > 65_535) {
    throw new ApiError('PARAMETER_INVALID', {
      errors: [{ path: '/query/after', message: 'is not the id of an event' }],
    });
  }
  return at;
}

const idOf = ({ height, index }: StoredEvent): string => `${height}.${index}`;

function sendPage(
  context: HttpContext,
  request: FastifyRequest<{ Querystring: EventsQuery }>,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const { after, limit = DEFAULT_PAGE_SIZE } = request.query;
  const from = positionOf(after);
  const filter = filterOf(request.query);
  const make = (snapshot: Snapshot): unknown => {
    // One more than asked for tells whether there is more.
    const read = snapshot.eventsAfter(from, limit + 1, subjectOf(filter));
    const page = read.slice(0, limit);
    const last = page.at(-1);
    return {
      ...documentHead(snapshot, 'NET-EVENT-PAGE/1'),
      events: page
        .filter((event) => matches(event, filter))
        .map((event) => ({
          id: idOf(event),
          height: event.height,
          type: event.type,
          transitionIndex: event.transitionIndex,
          data: event.data,
        })),
      next: last ? idOf(last) : (after ?? '0.0'),
      more: read.length > limit,
    };
  };
  return context.send(reply, make, byHeight);
}

/** Server-sent events (HTML Living Standard section 9.2): first what happened since, then what happens. */
function openStream(
  context: HttpContext,
  catchUp: CatchUp,
  request: FastifyRequest<{ Querystring: EventsQuery }>,
  reply: FastifyReply,
): FastifyReply {
  const lastEventId = request.headers['last-event-id'];
  const resume = typeof lastEventId === 'string' && new RegExp(EventId).test(lastEventId);
  const filter = filterOf(request.query);
  const after = resume ? lastEventId : request.query.after;
  // Somebody who names no event wants what happens from now on.
  let at = after === undefined ? position(context.node.chain.height + 1, 0) - 1 : positionOf(after);
  let live = after === undefined;

  reply.hijack();
  const { raw } = reply;
  // A stream is never taken to its end; how far its reader may be behind is said below.
  if (raw.socket) context.slowReaders.exempt(raw.socket);
  raw.writeHead(200, {
    ...COMMON_HEADERS,
    'x-request-id': request.id,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write(': netd event feed\nretry: 2000\n\n');

  const { catchUpPage, streamBacklog } = context.limits;
  const write = (events: StoredEvent[]): void => {
    const text = events.map(textOf).join('');
    if (text !== '') raw.write(text);
    if (raw.writableLength > streamBacklog) raw.destroy();
  };

  const readPage: ReadPage = () => {
    if (raw.destroyed || raw.writableEnded) return 'done';
    try {
      return readOn();
    } catch (error) {
      // Nobody waits for this turn: the reader is let go, and resumes by Last-Event-ID.
      request.log.error({ err: error, requestId: request.id }, 'a stream could not catch up');
      raw.destroy();
      return 'done';
    }
  };
  /** Writes a page of what the store has after `at`, at the reader's pace; after the last one the stream is live. */
  const readOn: ReadPage = () => {
    const page = context.read((snapshot) =>
      snapshot.eventsAfter(at, catchUpPage, subjectOf(filter)),
    );
    write(page.filter((event) => matches(event, filter)));
    const last = page.at(-1);
    if (last) at = position(last.height, last.index);
    live = page.length < catchUpPage;
    if (live) return 'done';
    if (!raw.writableNeedDrain) return 'more';
    raw.once('drain', () => catchUp.add(readPage));
    return 'done';
  };

  const unsubscribe = context.node.events.subscribe(filter, (events) => {
    // The store may show a block a moment before the feed announces it: what catching up wrote is not written again.
    if (live) write(events.filter(({ height, index }) => position(height, index) > at));
  });
  const heartbeat = setInterval(() => raw.write(': alive\n\n'), HEARTBEAT_MILLISECONDS);
  raw.once('close', () => {
    unsubscribe();
    clearInterval(heartbeat);
  });
  if (!live) catchUp.add(readPage);
  return reply;
}

/** Events as they are sent: one that many streams show is written once. */
const texts = new WeakMap<StoredEvent, string>();

function textOf(event: StoredEvent): string {
  let text = texts.get(event);
  if (text === undefined) {
    const { height, type, data } = event;
    text = `id: ${idOf(event)}\nevent: ${type}\ndata: ${JSON.stringify({ height, type, data })}\n\n`;
    texts.set(event, text);
  }
  return text;
}
