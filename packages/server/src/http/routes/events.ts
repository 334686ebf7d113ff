import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  ApiError,
  heightOf,
  matches,
  position,
  watchedSubjects,
  type Snapshot,
  type StoredEvent,
} from '@netd/engine';
import type { EventFilter } from '@netd/engine/reads';
import {
  EVENT_ID,
  EVENT_PAGE,
  EventPage,
  EventPageQuery,
  eventFilterOf,
  eventIdOf,
  blockOfEvent,
  eventPositionOf,
  type BlockOfEvent,
  eventSubjectOf,
  refuseBefore,
} from '@netd/documents';
import { genesisHash, lastEventId as endOf, RESET_EVENT } from '@netd/protocol';
import { byHeight } from '../cache-policy.ts';
import { CatchUp, type ReadPage } from '../catch-up.ts';
import type { HttpContext, Routes } from '../context.ts';
import { ReadQuery } from '../read-query.ts';
import { problems } from '../schemas.ts';
import { beginEvents } from '../streams.ts';

export const eventRoutes: Routes = (app, context) => {
  const catchUp = new CatchUp(context.limits);
  const cursors = new Cursors(context);
  const blocks = new EventBlocks(context);
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
              'A page of the feed. With Accept: text/event-stream the same events as server-sent events, resumable by Last-Event-ID. A laboratory that takes blocks back says so with an event LaboratoryReverted: continue from its id.',
          },
          ...problems(409, 429),
        },
      },
    },
    (request, reply) => {
      const wantsStream =
        request.method === 'GET' && (request.headers.accept ?? '').includes('text/event-stream');
      const { query } = request;
      if (!wantsStream) {
        refuseWatch(query);
        cursors.refuseStale(query, query.after);
        return context.send(reply, new ReadQuery(EVENT_PAGE, query), byHeight);
      }
      refuseBefore(query, 'is for a page: a stream only goes on');
      const after = resumeId(request) ?? query.after;
      cursors.refuseStale(query, after);
      context.streams.enter(request, reply);
      return openStream(context, { catchUp, blocks, after }, request, reply);
    },
  );
};

class Cursors {
  private readonly context: HttpContext;
  private readonly genesisHash: string;
  /** True for the node of a laboratory, and not for its followers. */
  private readonly makesBlocks: boolean;
  private lowestReturn = Infinity;

  constructor(context: HttpContext) {
    this.context = context;
    const { dataDir, lab } = context.node;
    this.genesisHash = genesisHash(dataDir.genesis);
    this.makesBlocks = lab !== null;
    context.node.events.onReturn((height) => {
      this.lowestReturn = Math.min(this.lowestReturn, height);
    });
  }

  /** @throws ApiError CURSOR_STALE if the reader followed another chain, or blocks that were taken back */
  refuseStale(query: EventPageQuery, after: string | undefined): void {
    const { genesisHash: followed = this.genesisHash, blockHash } = query;
    if (followed !== this.genesisHash) {
      const message = `this node serves the chain with the genesis ${this.genesisHash}`;
      const errors = [{ path: '/query/genesisHash', message: 'is the genesis of another chain' }];
      throw new ApiError('CURSOR_STALE', { message, errors });
    }
    if (blockHash === undefined || after === undefined) return;
    const at = heightOf(eventPositionOf(after));
    if (this.isSameBlock(at, blockHash)) return;
    const height = this.lowestReturn < at ? this.lowestReturn : 0;
    const message = `block ${at} is another one here; go on from the end of block ${height}`;
    const errors = [{ path: '/query/blockHash', message: `is not that of block ${at}` }];
    throw new ApiError('CURSOR_STALE', { message, errors, height });
  }

  private isSameBlock(height: number, hash: string): boolean {
    return this.context.read((snapshot) => {
      if (height < snapshot.history.from) return true;
      const block = snapshot.blockAt(height);
      if (block) return block.certificate.blockHash === hash;
      // A follower may be behind the reader. A laboratory's own node is not: it has taken the block back.
      return !this.makesBlocks || height <= this.context.height;
    });
  }
}

/**
 * Returns Last-Event-ID. Ignoring an invalid id would skip events.
 * @throws ApiError PARAMETER_INVALID
 */
function resumeId({ headers }: FastifyRequest): string | undefined {
  const lastEventId = headers['last-event-id'];
  if (lastEventId === undefined || lastEventId === '') return undefined;
  if (typeof lastEventId === 'string' && new RegExp(EVENT_ID).test(lastEventId)) return lastEventId;
  const message = 'must be the id of an event, such as 12.0; 0.0 begins at genesis';
  throw new ApiError('PARAMETER_INVALID', {
    errors: [{ path: '/headers/last-event-id', message }],
  });
}

/** @throws ApiError PARAMETER_INVALID if a watched subject is malformed */
function refuseWatch({ watch }: EventPageQuery): void {
  if (watch === undefined) return;
  const message = 'is for a stream: a page has agent, order and type';
  throw new ApiError('PARAMETER_INVALID', { errors: [{ path: '/query/watch', message }] });
}

class StreamView {
  readonly filter: EventFilter;
  private readonly blocks: EventBlocks;
  private readonly watched: ReadonlySet<string> | null;
  private readonly tellsBlocks: boolean;

  constructor(blocks: EventBlocks, query: EventPageQuery) {
    this.blocks = blocks;
    this.watched = query.watch === undefined ? null : new Set(query.watch.split(','));
    this.filter = this.watched ? {} : eventFilterOf(query);
    this.tellsBlocks = query.genesisHash !== undefined;
  }

  read(snapshot: Snapshot, after: number, limit: number): StoredEvent[] {
    return this.watched
      ? snapshot.eventsOfAnyAfter(after, limit, this.watched)
      : snapshot.eventsAfter(after, limit, eventSubjectOf(this.filter));
  }

  textOf(events: readonly StoredEvent[]): string {
    const { watched, filter } = this;
    const shown = events.filter((event) => matches(event, filter));
    if (!watched) return shown.map((event) => this.text(event)).join('');
    const texts = shown.map((event) => {
      const subjects = watchedSubjects(event, watched);
      return subjects.length === 0 ? '' : this.text(event, subjects);
    });
    return texts.join('');
  }

  resetText(height: number): string {
    const data = { height, type: RESET_EVENT, data: {}, ...this.blockOf(height) };
    return `id: ${endOf(height)}\nevent: ${RESET_EVENT}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  private text(event: StoredEvent, watched?: readonly string[]): string {
    const told = this.tellsBlocks
      ? toldOnce(withBlock, event, () => this.blockOf(event.height))
      : toldOnce(withoutBlock, event);
    return watched ? `${told},"watched":${JSON.stringify(watched)}}\n\n` : `${told}}\n\n`;
  }

  private blockOf(height: number): BlockOfEvent {
    return this.tellsBlocks ? this.blocks.at(height) : {};
  }
}

class EventBlocks {
  private readonly context: HttpContext;
  private readonly known = new LRUCache<number, BlockOfEvent>({ max: 1_024 });

  constructor(context: HttpContext) {
    this.context = context;
    context.node.events.onReturn(() => this.known.clear());
  }

  at(height: number): BlockOfEvent {
    const known = this.known.get(height);
    if (known !== undefined) return known;
    const block = this.context.read((snapshot) => blockOfEvent(snapshot, height));
    if (block.blockHash !== undefined) this.known.set(height, block);
    return block;
  }
}

/** Sends missed events, then live ones (HTML Living Standard section 9.2). */
function openStream(
  context: HttpContext,
  { catchUp, blocks, after }: { catchUp: CatchUp; blocks: EventBlocks; after: string | undefined },
  request: FastifyRequest<{ Querystring: EventPageQuery }>,
  reply: FastifyReply,
): FastifyReply {
  const view = new StreamView(blocks, request.query);
  let at = after === undefined ? position(context.height + 1, 0) - 1 : eventPositionOf(after);
  let live = after === undefined;
  const { laboratory } = context.node.dataDir.genesis;
  /** True if a laboratory took back the blocks that the reader has seen. */
  const isAhead = laboratory === true && heightOf(at) > context.height;
  if (!live && !isAhead) context.read((snapshot) => snapshot.requireHeld(heightOf(at + 1)));

  const raw = beginEvents(request, reply);
  // An endless stream is no slow answer. Its backlog is bounded below.
  if (raw.socket) context.slowReaders.exempt(raw.socket);
  raw.write(': netd event feed\nretry: 2000\n\n');

  const { catchUpPage, streamBacklog } = context.limits;
  const write = (events: StoredEvent[]): void => {
    const text = view.textOf(events);
    if (text !== '') raw.write(text);
    if (raw.writableLength > streamBacklog) raw.destroy();
  };

  const readPage: ReadPage = () => {
    if (raw.destroyed || raw.writableEnded) return 'done';
    try {
      return readOn();
    } catch (error) {
      request.log.error({ err: error, requestId: request.id }, 'a stream could not catch up');
      raw.destroy();
      return 'done';
    }
  };
  const readOn: ReadPage = () => {
    const page = context.read((snapshot) => view.read(snapshot, at, catchUpPage));
    write(page);
    const last = page.at(-1);
    if (last) at = position(last.height, last.index);
    live = page.length < catchUpPage;
    if (live) return 'done';
    if (!raw.writableNeedDrain) return 'more';
    raw.once('drain', () => catchUp.add(readPage));
    return 'done';
  };

  const unsubscribe = context.node.events.subscribe(view.filter, (events) => {
    // Catching up may have sent these events before the feed announced them.
    if (live) write(events.filter(({ height, index }) => position(height, index) > at));
  });
  const goBack = (height: number): void => {
    at = position(height + 1, 0) - 1;
    live = true;
    if (!raw.destroyed && !raw.writableEnded) raw.write(view.resetText(height));
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

const withoutBlock = new WeakMap<StoredEvent, string>();
const withBlock = new WeakMap<StoredEvent, string>();

function toldOnce(
  texts: WeakMap<StoredEvent, string>,
  event: StoredEvent,
  more: () => object = () => ({}),
): string {
  const kept = texts.get(event);
  if (kept !== undefined) return kept;
  const { height, type, data } = event;
  const told = JSON.stringify({ height, type, data, ...more() });
  const text = `id: ${eventIdOf(event)}\nevent: ${type}\ndata: ${told.slice(0, -1)}`;
  texts.set(event, text);
  return text;
}
