/** What follows requests where traces are asked for: the server knows this much of it, and loads nothing else without. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CommittedEnvelope } from '@netd/engine';
import type { Submission } from '@netd/ledger';

export interface RequestTraces {
  /** Begins a span with each request, before anything else looks at it. */
  watch(app: FastifyInstance): void;
  /** Of the envelope that a request carries. */
  envelope(request: FastifyRequest, kind: Submission['kind']): EnvelopeTrace;
  /** The headers by which another node goes on with the trace of a request. */
  headersFor(request: FastifyRequest): Record<string, string>;
  /** Sends what is left, as long as the collector takes it within moments. */
  end(): Promise<void>;
}

/** The way of one envelope. It ends with the request. */
export interface EnvelopeTrace {
  /** Parsed, valid by its schema, signed: it waits for a block now. */
  checked: () => void;
  committed: (answer: CommittedEnvelope) => void;
  refused: (error: unknown) => void;
}
