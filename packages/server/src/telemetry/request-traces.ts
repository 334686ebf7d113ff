import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CommittedEnvelope } from '@netd/engine';
import type { Submission } from '@netd/ledger';

export interface RequestTraces {
  /** Call it before any other hook is added. */
  watch(app: FastifyInstance): void;
  envelope(request: FastifyRequest, kind: Submission['kind']): EnvelopeTrace;
  headersFor(request: FastifyRequest): Record<string, string>;
  end(): Promise<void>;
}

export interface EnvelopeTrace {
  checked: () => void;
  committed: (answer: CommittedEnvelope) => void;
  refused: (error: unknown) => void;
}
