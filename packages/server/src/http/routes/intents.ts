import { addressShare, FairQueue } from '@netd/client-limits';
import {
  createWorkOrder,
  makeSubmission,
  type Outcome,
  RuleError,
  TransitionTrace,
  type WorkOrderRecord,
} from '@netd/ledger';
import {
  compileSchema,
  envelopeViolations,
  FreeString,
  Height,
  SignedIntent,
  type JsonObject,
} from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import {
  admissionFacts,
  documentHead,
  dryRun,
  OrderWarnings,
  orderWarnings,
} from '@netd/documents';
import {
  ApiError,
  explainRefusal,
  parseEnvelope,
  type Newcomers,
  requireAdmissible,
  type Snapshot,
  toApiError,
  traceReport,
} from '@netd/engine';
import { noStore } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import type { Warnings } from '../order-warnings.ts';
import { makeProblem } from '../problem.ts';
import { problems } from '../schemas.ts';
import { noTurn } from '../no-turn.ts';
import { bodyBytes, newcomersOf } from '../submit.ts';
import { Trace } from '../trace-schema.ts';

const MOST_CAPABILITIES = 64;

const UnsignedIntent = Type.Object(
  {
    actorId: FreeString,
    action: FreeString,
    payload: Type.Object({}, { additionalProperties: true }),
    nonce: Type.Optional(
      Type.String({
        maxLength: 128,
        description:
          "The final envelope's nonce, if the payload has a signature over it: grantSession, rotateAgentKey.",
      }),
    ),
    capabilities: Type.Optional(
      Type.Array(FreeString, {
        maxItems: MOST_CAPABILITIES,
        description: 'Assume that extendAgentCapabilities added these.',
      }),
    ),
  },
  {
    title: 'UnsignedIntent',
    additionalProperties: true,
    description: 'An unsigned action, to try.',
  },
);

const Simulated = exactly(
  {
    schema: Type.Literal('NET-SIMULATION/1'),
    chainId: Type.String(),
    outcome: Type.Enum(['accepted', 'refused']),
    signed: Type.Boolean({
      description: 'True if signature, nonce and expiry were checked, too.',
    }),
    height: Height,
    events: Type.Array(
      exactly({ type: Type.String(), data: Type.Object({}, { additionalProperties: true }) }),
    ),
    changes: Type.Array(
      exactly({
        key: Type.String(),
        value: Type.Unknown({
          description: 'The record after it, null if it would be deleted.',
        }),
      }),
      { description: "State keys that would change, except the block's bookkeeping." },
    ),
    warnings: OrderWarnings,
    refusal: orNull(
      exactly({
        code: Type.String(),
        detail: Type.String(),
        errors: Type.Array(exactly({ path: Type.String(), message: Type.String() })),
      }),
    ),
    trace: Type.Optional(Trace),
  },
  { description: 'What would happen now.' },
);

const SimulationQuery = Type.Object({
  trace: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether to tell it step by step, in `trace`.' }),
  ),
});

const checkUnsigned = compileSchema(UnsignedIntent, { listAll: true });

export const intentRoutes: Routes = (app, context) => {
  const { waitingSimulations, simulationsPerAddress } = context.limits;
  const turns = new FairQueue({
    most: 1,
    ofAddress: 1,
    waiting: waitingSimulations,
    waitingOfAddress: context.options.loopback ? waitingSimulations : simulationsPerAddress,
  });
  app.post<{ Querystring: Static<typeof SimulationQuery> }>(
    '/v1/intents::simulate',
    {
      schema: {
        operationId: 'simulateIntent',
        tags: ['intents'],
        summary: 'Try one action, signed or not, against the latest state; commits nothing',
        querystring: SimulationQuery,
        body: Type.Union([SignedIntent, UnsignedIntent]),
        response: { 200: Simulated, ...problems(413, 415, 429) },
      },
    },
    async (request, reply) => {
      const share = addressShare(request.ip);
      const simulated = await turns.run(
        share,
        async () => {
          await new Promise((resolve) => setImmediate(resolve));
          const { envelope } = parseEnvelope(bodyBytes(request));
          const trace = request.query.trace === 'true' ? new TransitionTrace() : null;
          const now = context.node.lab?.now() ?? Date.now();
          const newcomers = newcomersOf(context, request);
          return context.read((snapshot) =>
            simulate(snapshot, envelope, { now, trace, newcomers }),
          );
        },
        (why) => noTurn(why, `${share} has ${simulationsPerAddress} simulations waiting`),
      );
      return context.send(reply, simulated, noStore);
    },
  );
};

function simulate(
  snapshot: Snapshot,
  envelope: JsonObject,
  {
    now,
    trace,
    newcomers,
  }: { now: number; trace: TransitionTrace | null; newcomers: Newcomers | undefined },
): Static<typeof Simulated> {
  const signed = Object.hasOwn(envelope, 'signature');
  const violations = signed ? envelopeViolations('intent', envelope) : checkUnsigned(envelope);
  if (violations) throw new ApiError('ENVELOPE_INVALID', { errors: violations });
  const unsigned = envelope as unknown as SignedIntent & { capabilities?: string[] };
  const { actorId, capabilities: actions } = unsigned;
  let traced: TransitionTrace | null = null;
  const execution = dryRun(snapshot, now, () => traced);
  // If this is refused, the action is refused for the missing capability.
  if (!signed && actions)
    execution.tryAction(actorId, 'extendAgentCapabilities', { agentId: actorId, actions });
  traced = trace;
  const before = execution.pendingChanges();
  const tried: Outcome = signed
    ? execution.execute(makeSubmission('intent', envelope))
    : execution.tryAction(actorId, unsigned.action, unsigned.payload, unsigned.nonce);
  const outcome = admissible({ ...admissionFacts(snapshot), newcomers }, envelope, tried);
  const common = {
    ...documentHead(snapshot, 'NET-SIMULATION/1'),
    signed,
    ...(trace ? { trace: traceReport(trace) } : {}),
  };
  if (!outcome.ok) {
    const refusal = explainRefusal(outcome.refusal, envelope, admissionFacts(snapshot).state);
    const { code, data } = toApiError(refusal);
    return {
      ...common,
      outcome: 'refused',
      events: [],
      changes: [],
      warnings: [],
      refusal: { code, detail: makeProblem(code, '', data).detail, errors: data.errors ?? [] },
    };
  }
  const changes = [...execution.pendingChanges()]
    .filter(([key, text]) => before.get(key) !== text)
    .map(([key, text]) => ({ key, value: text === null ? null : (JSON.parse(text) as unknown) }));
  return {
    ...common,
    outcome: 'accepted',
    events: outcome.events.map(({ type, data }) => ({ type, data })),
    changes: changes.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    warnings: simulatedWarnings(snapshot, unsigned.action, changes),
    refusal: null,
  };
}

function simulatedWarnings(
  snapshot: Snapshot,
  action: string,
  changes: readonly { key: string; value: unknown }[],
): Warnings {
  if (action !== createWorkOrder.name && action !== 'acceptWork') return [];
  const order = changes.find(({ key }) => key.startsWith('order/'))?.value;
  if (!order) return [];
  const { workerId, agentId, ...terms } = order as WorkOrderRecord;
  const wanted = { ...terms, agentId, workerId: null, acceptedAt: null };
  return orderWarnings(snapshot, wanted, workerId ?? agentId);
}

function admissible(
  facts: Parameters<typeof requireAdmissible>[1],
  envelope: JsonObject,
  tried: Outcome,
): Outcome {
  if (!tried.ok) return tried;
  try {
    requireAdmissible({ kind: 'intent', envelope }, facts);
    return tried;
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return { ok: false, refusal: error };
  }
}
