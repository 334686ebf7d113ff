/**
 * Laboratory calls: mine, move time, change the mode. They are refused on other chains, from other machines,
 * and without the node's secret.
 */
import { addressShare } from '@netd/client-limits';
import {
  compileSchema,
  Height,
  parseStrictJson,
  StrictJsonError,
  Timestamp,
  timestampToMs,
} from '@netd/protocol';
import { Hash } from '@netd/protocol';
import { exactly, Type, type Static, type TSchema } from '@netd/protocol/type';
import { ApiError, LAB_MODES, type Lab, type LabCommand } from '@netd/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noStore } from '../cache-policy.ts';
import type { HttpContext, Routes } from '../context.ts';
import { requireControlToken } from '../control-token.ts';
import { validateLoopback } from '../loopback.ts';
import { problems } from '../schemas.ts';
import { bodyBytes } from '../submit.ts';
import { Trace } from '../trace-schema.ts';

const MAX_LAB_BLOCKS = 10_000;
const MAX_SNAPSHOTS = 1_000;
/** The longest delay of a devnet is 1,000 heights. */
const MOST_IDLE_BLOCKS = 1_000;
/** A hundred years. */
const MAX_SECONDS = 3_155_760_000;

const Mode = Type.Enum([...LAB_MODES], {
  title: 'LabMode',
  description:
    'automatic: as on every chain. each: every intent gets a block of its own at once, and no empty one comes by itself. none: only POST /v1/lab/mine makes blocks.',
});

const SnapshotId = Type.String({ minLength: 1, maxLength: 64 });

const Snapshot = exactly(
  { id: SnapshotId, height: Height },
  { title: 'LabSnapshot', description: 'The chain as it was at a height.' },
);

const LabDocument = exactly(
  {
    schema: Type.Literal('NET-LABORATORY/1'),
    chainId: Type.String(),
    height: Height,
    timestamp: Timestamp,
    clock: Type.String({ description: 'The time that the next block would be dated, RFC 3339.' }),
    mode: Mode,
    snapshots: Type.Array(Snapshot, { description: 'What it can go back to, oldest first.' }),
    reverts: Type.Integer({
      minimum: 0,
      description:
        'How often it went back since the node started. If it has changed, earlier reads may no longer hold.',
    }),
  },
  {
    title: 'Laboratory',
    description: 'Newest block, clock, mode, and snapshots to go back to.',
  },
);

const TraceQuery = Type.Object({
  transition: Type.String({ ...Hash, description: 'The hash of a committed transition.' }),
});

const TracedTransition = exactly(
  {
    schema: Type.Literal('NET-TRACE/1'),
    chainId: Type.String(),
    transitionHash: Hash,
    height: Height,
    index: Type.Integer({ minimum: 0, description: 'In its block.' }),
    timestamp: Timestamp,
    envelope: Type.Object({}, { additionalProperties: true }),
    trace: Trace,
  },
  {
    title: 'TracedTransition',
    description: 'A committed transition, executed again on the state before it.',
  },
);

const Blocks = Type.Integer({ minimum: 1, maximum: MAX_LAB_BLOCKS });

const MineRequest = exactly(
  { blocks: Type.Optional(Blocks) },
  { title: 'MineRequest', description: 'One block without `blocks`.' },
);

const TimeRequest = exactly(
  {
    seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: 'How far the clock moves.' }),
    ),
    to: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The time to which the clock moves instead, RFC 3339; not before `clock`.',
      }),
    ),
    blocks: Type.Optional(
      Type.Integer({
        ...Blocks,
        description: `Made on the way, at equal distances. Without it as many as an idle chain makes, at most ${MOST_IDLE_BLOCKS}.`,
      }),
    ),
  },
  { title: 'TimeRequest', description: 'Either `seconds` or `to`.' },
);

const ModeRequest = exactly(
  { mode: Mode },
  { title: 'ModeRequest', description: 'When blocks are made.' },
);

const SnapshotRequest = exactly({}, { title: 'SnapshotRequest', description: 'Nothing.' });

const RevertRequest = exactly(
  {
    id: Type.Optional(
      Type.String({
        ...SnapshotId,
        description: 'The id of a snapshot; without it the newest one.',
      }),
    ),
  },
  {
    title: 'RevertRequest',
    description: 'Which snapshot to go back to. It stays; those taken after it are gone.',
  },
);

interface Call<Body extends TSchema> {
  path: string;
  operationId: string;
  summary: string;
  body: Body;
  command: (lab: Lab, body: Static<Body>, context: HttpContext) => LabCommand;
}

export const labRoutes: Routes = (app, context) => {
  app.get(
    '/v1/lab',
    {
      schema: {
        operationId: 'getLaboratory',
        tags: ['laboratory'],
        summary: 'Height, clock and mode of a laboratory',
        response: { 200: LabDocument, ...problems(403) },
      },
    },
    (request, reply) => {
      return answer(context, reply, requireLab(context, request));
    },
  );

  app.get<{ Querystring: Static<typeof TraceQuery> }>(
    '/v1/lab/trace',
    {
      schema: {
        operationId: 'traceTransition',
        tags: ['laboratory'],
        summary: 'What a transition checked, read, wrote and set',
        querystring: TraceQuery,
        response: { 200: TracedTransition, ...problems(403, 404, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      requireLab(context, request);
      const { transition } = request.query;
      const { height } = context.head;
      const { report, ...where } = await context.tracer.trace(
        transition,
        height,
        addressShare(request.ip),
      );
      const traced: Static<typeof TracedTransition> = {
        schema: 'NET-TRACE/1',
        chainId: context.node.chain.identity.chainId,
        transitionHash: transition,
        ...where,
        trace: report,
      };
      return context.send(reply, traced, noStore);
    },
  );

  let taken = 0;
  const add = <Body extends TSchema>(call: Call<Body>): void => {
    const { path, operationId, summary, body, command } = call;
    const violations = compileSchema(body, { listAll: true });
    app.post(
      path,
      {
        schema: {
          operationId,
          tags: ['laboratory'],
          summary,
          body,
          response: { 200: LabDocument, ...problems(403, 404, 409, 413, 415, 429) },
        },
      },
      async (request, reply) => {
        const lab = requireLab(context, request);
        requireControlToken(context, request);
        if (!context.node.ready) throw new ApiError('NODE_NOT_READY', { retryAfter: 1 });
        const order = command(lab, readBody<Body>(request, violations), context);
        try {
          await lab.run(order);
        } catch (error) {
          throw new ApiError('STORAGE_UNAVAILABLE', {
            message: `A block could not be made: ${error instanceof Error ? error.message : String(error)}`,
          });
        }
        return answer(context, reply, lab);
      },
    );
  };

  add({
    path: '/v1/lab/mine',
    operationId: 'mineBlocks',
    summary: 'Make blocks now; what waits goes into the first ones',
    body: MineRequest,
    command: (_lab, { blocks = 1 }) => ({ do: 'mine', blocks, milliseconds: 0 }),
  });
  add({
    path: '/v1/lab/time',
    operationId: 'moveTime',
    summary: 'Move the clock ahead, and make the blocks of that time',
    body: TimeRequest,
    command: (lab, body, { node }) => {
      const milliseconds = spanOf(lab, body);
      const { blocks = idleBlocks(milliseconds, node.idleBlockTime) } = body;
      return { do: 'mine', blocks, milliseconds };
    },
  });
  add({
    path: '/v1/lab/mode',
    operationId: 'setBlockMode',
    summary: 'Stop and resume automatic blocks, or make one for each intent',
    body: ModeRequest,
    command: (_lab, { mode }) => ({ do: 'mode', mode }),
  });
  add({
    path: '/v1/lab/snapshot',
    operationId: 'takeSnapshot',
    summary: 'Keep the chain as it is, to go back to: the last of snapshots',
    body: SnapshotRequest,
    command: ({ snapshots }) => {
      if (snapshots.length >= MAX_SNAPSHOTS) throw new ApiError('LAB_TOO_MANY_SNAPSHOTS');
      return { do: 'snapshot', id: `s${++taken}` };
    },
  });
  add({
    path: '/v1/lab/revert',
    operationId: 'revertToSnapshot',
    summary: 'Take back all blocks since a snapshot, and the clock with them',
    body: RevertRequest,
    command: ({ snapshots }, { id = snapshots.at(-1)?.id }) => {
      if (id === undefined) {
        throw new ApiError('LAB_SNAPSHOT_UNKNOWN', { message: 'No snapshot has been taken' });
      }
      if (!snapshots.some((snapshot) => snapshot.id === id)) {
        throw new ApiError('LAB_SNAPSHOT_UNKNOWN', {
          message: `There is no snapshot ${JSON.stringify(id)}`,
          errors: [{ path: '/id', message: 'is the id of no snapshot' }],
        });
      }
      return { do: 'revert', id };
    },
  });
};

/** @throws ApiError NOT_A_LABORATORY, LAB_CALLER_REFUSED */
function requireLab({ node }: HttpContext, { headers }: FastifyRequest): Lab {
  const { lab } = node;
  if (!lab) {
    throw new ApiError(
      'NOT_A_LABORATORY',
      node.dataDir.genesis.laboratory === true
        ? {
            message:
              'The chain is a laboratory, but this node is a follower: call the node that makes its blocks',
          }
        : {},
    );
  }
  const fault = validateLoopback(headers);
  if (fault !== null) throw new ApiError('LAB_CALLER_REFUSED', { message: fault });
  return lab;
}

function readBody<Body extends TSchema>(
  request: FastifyRequest,
  violations: ReturnType<typeof compileSchema>,
): Static<Body> {
  const bytes = bodyBytes(request);
  let body: unknown;
  try {
    body = bytes.length === 0 ? {} : parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new ApiError('ENVELOPE_INVALID', { message: error.message });
  }
  const errors = violations(body);
  if (errors) throw new ApiError('ENVELOPE_INVALID', { errors });
  return body as Static<Body>;
}

/**
 * Returns milliseconds.
 * @throws ApiError LAB_CLOCK_BACKWARDS, ENVELOPE_INVALID
 */
function spanOf(lab: Lab, { seconds, to }: Static<typeof TimeRequest>): number {
  if (to === undefined) {
    if (seconds !== undefined) return seconds * 1_000;
    throw new ApiError('ENVELOPE_INVALID', {
      errors: [{ path: '', message: 'needs seconds or to' }],
    });
  }
  const refuse = (message: string): never => {
    throw new ApiError('ENVELOPE_INVALID', { errors: [{ path: '/to', message }] });
  };
  if (seconds !== undefined) return refuse('stands beside seconds: one of them is enough');
  let time: number;
  try {
    time = timestampToMs(to);
  } catch {
    return refuse('must be a time such as 2027-01-01T00:00:00.000Z');
  }
  const now = lab.now();
  if (time < now) {
    throw new ApiError('LAB_CLOCK_BACKWARDS', {
      message: `The clock is at ${new Date(now).toISOString()}, later than ${to}`,
      errors: [{ path: '/to', message: 'lies in the past of this chain' }],
    });
  }
  if (time - now > MAX_SECONDS * 1_000) return refuse('lies more than a hundred years ahead');
  return time - now;
}

const idleBlocks = (milliseconds: number, idleBlockTime: number): number =>
  Math.min(Math.max(1, Math.ceil(milliseconds / idleBlockTime)), MOST_IDLE_BLOCKS);

function answer(
  context: HttpContext,
  reply: FastifyReply,
  lab: Lab,
): FastifyReply | Promise<FastifyReply> {
  const { height, timestamp } = context.head;
  const laboratory: Static<typeof LabDocument> = {
    schema: 'NET-LABORATORY/1',
    chainId: context.node.chain.identity.chainId,
    height,
    timestamp,
    clock: new Date(lab.now()).toISOString(),
    mode: lab.mode,
    snapshots: [...lab.snapshots],
    reverts: lab.reverts,
  };
  return context.send(reply, laboratory, noStore);
}
