/** The server's interface to tracing, which loads nothing. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CommittedEnvelope } from '@netd/engine';
import type { Submission } from '@netd/ledger';

export interface RequestTraces {
  /** Begins a span with each request, before any other hook. */
  watch(app: FastifyInstance): void;
  /** Traces the envelope of a request. */
  envelope(request: FastifyRequest, kind: Submission['kind']): EnvelopeTrace;
  /** Returns the headers with which another node continues the trace. */
  headersFor(request: FastifyRequest): Record<string, string>;
  /** Sends the remaining spans, for a moment at most. */
  end(): Promise<void>;
}

/** The steps of one envelope. Ends with the request. */
export interface EnvelopeTrace {
  /** Parsed, valid and signed; it now waits for a block. */
  checked: () => void;
  committed: (answer: CommittedEnvelope) => void;
  refused: (error: unknown) => void;
}
