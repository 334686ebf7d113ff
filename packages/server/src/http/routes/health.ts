import { Hash, Height, Timestamp } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import { NetworkIdentity } from '@netd/documents';
import { ApiError, HEALTH_ISSUES, keepsReadersAway, takesWrites } from '@netd/engine';
import { VERSION } from '@netd/protocol/version';
import { noStore } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { problems } from '../schemas.ts';

const Health = exactly(
  {
    schema: Type.Literal('NET-HEALTH/1'),
    status: Type.Enum(['ok', 'degraded', 'halted'], {
      description:
        'degraded: there are faults. halted: this node makes or takes no more blocks; faults says why (two certified histories: /v1/fork-evidence).',
    }),
    faults: Type.Array(Type.String(), {
      description: `What is wrong, in sentences for the operator: ${Object.values(HEALTH_ISSUES)
        .map(({ what }) => what)
        .join('; ')}.`,
    }),
    version: Type.String(),
    chainId: Type.String(),
    laboratory: NetworkIdentity.properties.laboratory,
    fork: NetworkIdentity.properties.fork,
    height: Height,
    stateRoot: Hash,
    blockHash: Hash,
    uptimeSeconds: Type.Integer(),
    following: Type.Optional(
      exactly(
        {
          behind: orNull(
            Type.Integer({ minimum: 0 }),
            'Blocks the furthest reliable origin says it has and this follower not; null while none answers.',
          ),
          origins: exactly(
            { active: Type.Integer(), backoff: Type.Integer(), banned: Type.Integer() },
            {
              description:
                'How many origins are asked, rest after a failure, and are not believed any more.',
            },
          ),
        },
        { description: 'Of a follower: how far it is, and which node it follows.' },
      ),
    ),
    validators: Type.Optional(
      exactly(
        {
          engineHeight: Type.Integer({ minimum: 0 }),
          window: Type.Integer({
            minimum: 0,
            description: 'Number of decided heights that the counts cover.',
          }),
          quorumMargin: Type.Integer({
            minimum: 0,
            description: 'How many more validators can stop while blocks are still decided.',
          }),
          validators: Type.Array(
            exactly({
              validatorId: Type.String(),
              votingPower: Type.Integer({ minimum: 0 }),
              signed: Type.Integer({ minimum: 0 }),
              missed: Type.Integer({ minimum: 0 }),
              proposed: Type.Integer({ minimum: 0 }),
              lastVote: orNull(Timestamp, 'Null if this node has seen no vote.'),
              isDown: Type.Boolean(),
            }),
          ),
        },
        {
          description:
            'Of a node that runs CometBFT: the votes it has seen over the last decided heights.',
        },
      ),
    ),
    historyFrom: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Of a follower that began at a checkpoint, while it fetches the blocks before: the height from which on all are here. What needs older ones answers HISTORY_NOT_HELD.',
      }),
    ),
  },
  { title: 'Health', description: 'How this node is, and the root of the state it serves.' },
);

const Liveness = exactly(
  {
    schema: Type.Literal('NET-LIVENESS/1'),
    chainId: Type.Optional(Type.String({ description: 'Absent until a follower knows it.' })),
    status: Type.Literal('live'),
  },
  { description: 'The process answers.' },
);

/** @param chainId null until it is known */
export const liveness = (chainId: string | null): Static<typeof Liveness> => ({
  schema: 'NET-LIVENESS/1',
  ...(chainId === null ? {} : { chainId }),
  status: 'live',
});

export const healthRoutes: Routes = (app, context) => {
  const { node } = context;
  const { chainId } = node.chain.identity;
  const { fork } = node.dataDir.genesis;

  app.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        tags: ['node'],
        summary: 'Health and canonical state root',
        response: { 200: Health, ...problems() },
      },
    },
    (_request, reply) => {
      const { height, stateRoot, blockHash } = context.head;
      const faults = node.faults();
      const { from } = node.store.history();
      const { following, halted, validators } = node.status;
      const health: Static<typeof Health> = {
        schema: 'NET-HEALTH/1',
        status: halted ? 'halted' : faults.length === 0 ? 'ok' : 'degraded',
        faults,
        version: VERSION,
        chainId,
        laboratory: node.dataDir.genesis.laboratory === true,
        ...(fork === undefined ? {} : { fork }),
        height,
        stateRoot,
        blockHash,
        uptimeSeconds: Math.floor((Date.now() - node.startedAt) / 1_000),
        ...(following === null
          ? {}
          : { following: { behind: following.behind, origins: following.origins } }),
        ...(validators === null
          ? {}
          : { validators: { ...validators, validators: [...validators.validators] } }),
        ...(from > 0 ? { historyFrom: from } : {}),
      };
      return context.send(reply, health, noStore);
    },
  );

  app.get(
    '/livez',
    {
      schema: {
        operationId: 'getLivez',
        tags: ['node'],
        summary: 'Whether the process answers',
        response: {
          200: Liveness,
          ...problems(),
        },
      },
    },
    (_request, reply) => context.send(reply, liveness(chainId), noStore),
  );

  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'getReadyz',
        tags: ['node'],
        summary: 'Whether readers may be sent here',
        response: {
          200: exactly(
            {
              schema: Type.Literal('NET-READINESS/1'),
              chainId: Type.String(),
              status: Type.Literal('ready'),
              writes: Type.Boolean({
                description:
                  'False if this node takes no writes now: it follows another, its disk is full, or no blocks are decided. It still serves reads.',
              }),
            },
            { description: 'The node is open, and readers may be sent here; 503 else.' },
          ),
          ...problems(),
        },
      },
    },
    (_request, reply) => {
      if (!node.ready) throw new ApiError('NODE_NOT_READY', { retryAfter: 1 });
      const issues = node.issues();
      const reason = keepsReadersAway(issues);
      if (reason) throw new ApiError('NODE_NOT_READY', { message: reason.text, retryAfter: 60 });
      const hasWriter = node.status.writer === null || context.options.forwardWrites === true;
      const writes = hasWriter && takesWrites(issues);
      const ready = { schema: 'NET-READINESS/1', chainId, status: 'ready', writes };
      return context.send(reply, ready, noStore);
    },
  );

  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'getMetrics',
        tags: ['node'],
        summary: 'Prometheus metrics',
        response: {
          200: {
            description: 'Text exposition format.',
            content: { 'text/plain': { schema: Type.String() } },
          },
          ...problems(),
        },
      },
    },
    async (_request, reply) => {
      if (context.options.metricsElsewhere === true) throw new ApiError('ROUTE_NOT_FOUND');
      const { contentType, text } = await context.figures();
      reply.header('cache-control', noStore.cacheControl);
      return reply.type(contentType).send(text);
    },
  );
};
