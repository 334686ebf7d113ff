/**
 * Traces requests. Loaded only if tracing is enabled. A span names the route, never the URL, bodies, keys,
 * agents or addresses.
 */
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { parseKeyPairsIntoRecord, parseTraceParent } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ApiError, type CommittedEnvelope } from '@netd/engine';
import type { Submission } from '@netd/ledger';
import { VERSION } from '@netd/protocol/version';
import { OtlpExporter } from './otlp-exporter.ts';
import type { EnvelopeTrace, RequestTraces } from './request-traces.ts';
import type { TraceSettings } from './trace-settings.ts';

const LAST_MILLISECONDS = 2_000;

interface Followed {
  span: Span;
  context: Context;
  step: Span | null;
}

export class OpenTelemetryTraces implements RequestTraces {
  private readonly exporter: OtlpExporter;
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;
  private readonly followed = new WeakMap<FastifyRequest, Followed>();

  constructor(settings: TraceSettings, { chainId, logger }: { chainId: string; logger?: Logger }) {
    this.exporter = new OtlpExporter(settings, logger);
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': settings.serviceName,
        'service.version': VERSION,
        'netd.chain_id': chainId,
        ...parseKeyPairsIntoRecord(settings.resourceAttributes),
      }),
      sampler: samplerOf(settings),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: this.exporter,
          scheduledDelayMillis: settings.delay,
          exportTimeoutMillis: settings.timeout + LAST_MILLISECONDS,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('netd', VERSION);
    logger?.info({ to: new URL(settings.url).origin }, 'requests are traced');
  }

  watch(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      const { method, routeOptions, headers } = request;
      const { url: route } = routeOptions;
      const span = this.tracer.startSpan(
        route === undefined ? method : `${method} ${route}`,
        {
          kind: SpanKind.SERVER,
          attributes: {
            'http.request.method': method,
            ...(route === undefined ? {} : { 'http.route': route }),
            'netd.request_id': request.id,
          },
        },
        parentOf(headers['traceparent']),
      );
      const followed: Followed = { span, context: trace.setSpan(ROOT_CONTEXT, span), step: null };
      this.followed.set(request, followed);
      // Listen for close, because most answers bypass the framework's hook.
      reply.raw.once('close', () => {
        followed.step?.end();
        if (reply.raw.headersSent) {
          const { statusCode } = reply.raw;
          span.setAttribute('http.response.status_code', statusCode);
          if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      });
      done();
    });
  }

  envelope(request: FastifyRequest, kind: Submission['kind']): EnvelopeTrace {
    const followed = this.followed.get(request);
    if (!followed) return { checked: () => {}, committed: () => {}, refused: () => {} };
    const begin = (name: string): void => {
      followed.step?.end();
      const attributes = { 'netd.envelope.kind': kind };
      followed.step = this.tracer.startSpan(name, { attributes }, followed.context);
    };
    begin('envelope check');
    return {
      checked: () => begin('envelope block'),
      committed: ({ receipt, envelope }: CommittedEnvelope) => {
        const { action } = envelope;
        followed.step?.setAttributes({
          'netd.block.height': receipt.height,
          'netd.transition.hash': receipt.transitionHash,
          ...(typeof action === 'string' ? { 'netd.action': action } : {}),
        });
        begin('envelope receipt');
      },
      refused: (error) => {
        const code = error instanceof ApiError ? error.code : 'INTERNAL_ERROR';
        followed.step?.setAttribute('netd.refusal', code).end();
        followed.step = null;
      },
    };
  }

  headersFor(request: FastifyRequest): Record<string, string> {
    const followed = this.followed.get(request);
    if (!followed) return {};
    const { traceId, spanId, traceFlags } = followed.span.spanContext();
    return { traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}` };
  }

  async end(): Promise<void> {
    const limit = setTimeout(() => this.exporter.abort(), LAST_MILLISECONDS);
    await this.provider.shutdown().catch(() => {});
    clearTimeout(limit);
    this.exporter.abort();
  }
}

/** Reads W3C Trace Context, level 2. Drops tracestate, which may contain anything. */
function parentOf(header: string | string[] | undefined): Context {
  const parent = typeof header === 'string' ? parseTraceParent(header) : null;
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const root: Sampler = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}
