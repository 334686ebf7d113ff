import type { FastifyReply, FastifyRequest } from 'fastify';
import { heightOf, matches, position, type StoredEvent } from '@netd/engine';
import {
  EVENT_ID,
  EVENT_PAGE,
  EventPage,
  EventPageQuery,
  eventFilterOf,
  eventIdOf,
  eventPositionOf,
  eventSubjectOf,
  refuseBefore,
} from '@netd/documents';
import { lastEventId as endOf, RESET_EVENT } from '@netd/protocol';
import { byHeight } from '../cache-policy.ts';
import { CatchUp, type ReadPage } from '../catch-up.ts';
import type { HttpContext, Routes } from '../context.ts';
import { ReadQuery } from '../read-query.ts';
import { problems } from '../schemas.ts';
import { beginEvents } from '../streams.ts';

export const eventRoutes: Routes = (app, context) => {
  const catchUp = new CatchUp(context.limits);
  app.addHook('preClose', () => context.streams.end());

  app.get<{ Querystring: EventPageQuery }>(
    '/v1/events',
    {
      schema: {
        operationId: 'listEvents',
        tags: ['events'],
        summary: 'Events as a page, or live with Accept: text/event-stream',
        querystring: EventPageQuery,
        response: {
          200: {
            ...EventPage,
            description:
              'A page of the feed. With Accept: text/event-stream the same events as server-sent events, resumable by Last-Event-ID. A laboratory that takes blocks back says so with an event LaboratoryReverted, whose id is where it goes on.',
          },
          ...problems(429),
        },
      },
    },
    (request, reply) => {
      // A stream has no end, so HEAD asks for the page.
      const wantsStream =
        request.method === 'GET' && (request.headers.accept ?? '').includes('text/event-stream');
      if (!wantsStream)
        return context.send(reply, new ReadQuery(EVENT_PAGE, request.query), byHeight);
      refuseBefore(request.query, 'is for a page: a stream only goes on');
      context.streams.enter(request, reply);
      return openStream(context, catchUp, request, reply);
    },
  );
};

/** Server-sent events (HTML Living Standard section 9.2): first what happened since, then what happens. */
function openStream(
  context: HttpContext,
  catchUp: CatchUp,
  request: FastifyRequest<{ Querystring: EventPageQuery }>,
  reply: FastifyReply,
): FastifyReply {
  const lastEventId = request.headers['last-event-id'];
  const resume = typeof lastEventId === 'string' && new RegExp(EVENT_ID).test(lastEventId);
  const filter = eventFilterOf(request.query);
  const after = resume ? lastEventId : request.query.after;
  // A reader that names no event wants what happens from now on.
  let at = after === undefined ? position(context.height + 1, 0) - 1 : eventPositionOf(after);
  let live = after === undefined;
  const { laboratory } = context.node.dataDir.genesis;
  /** Whether the reader has seen what was taken back before it came again. */
  const isAhead = laboratory === true && heightOf(at) > context.height;
  if (!live && !isAhead) context.read((snapshot) => snapshot.requireHeld(heightOf(at + 1)));

  const raw = beginEvents(request, reply);
  // A stream is never taken to its end; how far its reader may be behind is said below.
  if (raw.socket) context.slowReaders.exempt(raw.socket);
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
      // This turn is not waited for: the reader is let go, and resumes by Last-Event-ID.
      request.log.error({ err: error, requestId: request.id }, 'a stream could not catch up');
      raw.destroy();
      return 'done';
    }
  };
  /** Writes a page of what the store has after `at`, at the reader's pace; after the last one the stream is live. */
  const readOn: ReadPage = () => {
    const page = context.read((snapshot) =>
      snapshot.eventsAfter(at, catchUpPage, eventSubjectOf(filter)),
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
  const goBack = (height: number): void => {
    at = position(height + 1, 0) - 1;
    live = true;
    if (!raw.destroyed && !raw.writableEnded) raw.write(resetText(height));
  };
  if (isAhead) goBack(context.height);
  const forgetReturns = context.node.events.onReturn(goBack);
  raw.once('close', () => {
    unsubscribe();
    forgetReturns();
  });
  if (!live) catchUp.add(readPage);
  return reply;
}

/** A laboratory has taken blocks back: whatever came of blocks above this height has not happened. */
const resetText = (height: number): string =>
  `id: ${endOf(height)}\nevent: ${RESET_EVENT}\ndata: ${JSON.stringify({ height, type: RESET_EVENT, data: {} })}\n\n`;

/** Events as they are sent: one that many streams show is written once. */
const texts = new WeakMap<StoredEvent, string>();

function textOf(event: StoredEvent): string {
  let text = texts.get(event);
  if (text === undefined) {
    const { height, type, data } = event;
    text = `id: ${eventIdOf(event)}\nevent: ${type}\ndata: ${JSON.stringify({ height, type, data })}\n\n`;
    texts.set(event, text);
  }
  return text;
}
