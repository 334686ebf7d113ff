/** Spans and metrics of an agent, by the tracer and meter of a program that uses OpenTelemetry. */
import { codeOf } from './agent-error.ts';
import { requireObject } from './arguments.ts';
import { asError } from './as-error.ts';
import { refuseArgument } from './core-error.ts';

/** Attributes of a span or a measurement. */
export type TelemetryAttributes = Record<string, string | number>;

/** What the agent uses of a `Span` of `@opentelemetry/api`. */
export interface TelemetrySpan {
  /** Adds an attribute. */
  setAttribute(name: string, value: string | number): unknown;
  /** Sets the status; 2 is an error. */
  setStatus(status: { code: number; message?: string }): unknown;
  /** Ends the span. */
  end(): void;
}

/** What the agent uses of a `Tracer` of `@opentelemetry/api`. */
export interface TelemetryTracer {
  /** Calls a function with a new span, which is the parent of all spans that the function starts. */
  startActiveSpan<Result>(
    name: string,
    options: { kind?: number; attributes?: TelemetryAttributes },
    call: (span: TelemetrySpan) => Result,
  ): Result;
}

/** What the agent uses of a `Meter` of `@opentelemetry/api`. */
export interface TelemetryMeter {
  /** Makes a counter. */
  createCounter(
    name: string,
    options: { description?: string; unit?: string },
  ): { add(value: number, attributes?: TelemetryAttributes): void };
  /** Makes a histogram. */
  createHistogram(
    name: string,
    options: { description?: string; unit?: string },
  ): { record(value: number, attributes?: TelemetryAttributes): void };
}

/** Option `telemetry` of `Agent.open`: a tracer, a meter or both, as `@opentelemetry/api` gives them. */
export interface Telemetry {
  /** Gets the spans `netsdk.job`, `netsdk.hire`, `netsdk.call` and `netsdk.result`. */
  tracer?: TelemetryTracer | undefined;
  /** Gets `netsdk.jobs`, `netsdk.earned`, `netsdk.spent` and `netsdk.wait.duration`. */
  meter?: TelemetryMeter | undefined;
}

const COUNTERS = {
  jobs: ['{job}', 'Jobs that have ended, by netsdk.outcome and netsdk.skill'],
  earned: ['{uNET}', 'Pay of jobs, in unet'],
  spent: ['{uNET}', 'Funding that hire and call have put into escrow, in unet, without fees'],
} as const;

type CounterName = keyof typeof COUNTERS;

const SKILL = 'netsdk.skill';
/** Other skills are counted as one, because strangers choose them, and each is a series of its own. */
const MOST_SKILLS = 100;

/** Values of SpanKind. */
const KINDS = { job: 4, hire: 3, call: 2, result: 0 } as const;

/** The instruments of one agent. */
export class Instruments {
  private readonly tracer: TelemetryTracer | undefined;
  private readonly counters = new Map<string, ReturnType<TelemetryMeter['createCounter']>>();
  private readonly skills = new Set<unknown>();
  private readonly waits: ReturnType<TelemetryMeter['createHistogram']> | undefined;

  /** @throws AgentError ARGUMENT_INVALID */
  constructor(telemetry: Telemetry = {}) {
    requireObject('telemetry', telemetry);
    const { tracer, meter } = telemetry;
    if (tracer !== undefined && typeof tracer?.startActiveSpan !== 'function')
      refuseArgument('telemetry', 'telemetry.tracer is not a Tracer of @opentelemetry/api');
    this.tracer = tracer;
    if (meter === undefined) return;
    if (typeof meter?.createCounter !== 'function' || typeof meter.createHistogram !== 'function')
      refuseArgument('telemetry', 'telemetry.meter is not a Meter of @opentelemetry/api');
    for (const [name, [unit, description]] of Object.entries(COUNTERS))
      this.counters.set(name, meter.createCounter(`netsdk.${name}`, { unit, description }));
    this.waits = meter.createHistogram('netsdk.wait.duration', {
      unit: 's',
      description: 'Duration of waits for the result of an order, by netsdk.outcome',
    });
  }

  count(name: CounterName, value: number, attributes: TelemetryAttributes = {}): void {
    const { [SKILL]: skill } = attributes;
    if (this.skills.size < MOST_SKILLS) this.skills.add(skill);
    const isKnown = skill === undefined || this.skills.has(skill);
    this.counters.get(name)?.add(value, isKnown ? attributes : { ...attributes, [SKILL]: 'other' });
  }

  /** Runs a call within a span, which gets the code of its error. */
  async span<Result>(
    name: keyof typeof KINDS,
    attributes: TelemetryAttributes,
    call: (span: TelemetrySpan | null) => Promise<Result>,
  ): Promise<Result> {
    if (this.tracer === undefined) return call(null);
    const options = { kind: KINDS[name], attributes };
    return this.tracer.startActiveSpan(`netsdk.${name}`, options, async (span) => {
      try {
        return await call(span);
      } catch (error) {
        span.setAttribute('error.type', typeOf(error));
        span.setStatus({ code: 2, message: asError(error).message });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  /** Runs a wait for a result within a span and measures it. */
  async wait<Result>(
    attributes: TelemetryAttributes,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const began = performance.now();
    let outcome = 'result';
    try {
      return await this.span('result', attributes, call);
    } catch (error) {
      outcome = typeOf(error);
      throw error;
    } finally {
      const seconds = (performance.now() - began) / 1_000;
      this.waits?.record(seconds, { 'netsdk.outcome': outcome });
    }
  }
}

const typeOf = (error: unknown): string => codeOf(error) ?? asError(error).name;
