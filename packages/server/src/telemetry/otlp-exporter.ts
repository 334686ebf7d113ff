import { ExportResultCode, parseKeyPairsIntoRecord, type ExportResult } from '@opentelemetry/core';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TraceSettings } from './trace-settings.ts';

/**
 * Sends OTLP as JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp). Drops refused batches, because an
 * unreachable collector must not hold memory or delay the end. The SDK's exporter cannot be aborted.
 */
export class OtlpExporter implements SpanExporter {
  private readonly settings: TraceSettings;
  private readonly logger: Logger | undefined;
  private readonly headers: Record<string, string>;
  private readonly ending = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private isLost = false;

  constructor(settings: TraceSettings, logger?: Logger) {
    this.settings = settings;
    this.logger = logger;
    this.headers = {
      ...parseKeyPairsIntoRecord(settings.headers),
      'content-type': 'application/json',
    };
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const sending = this.deliver(spans, done);
    this.underWay.add(sending);
    void sending.finally(() => this.underWay.delete(sending));
  }

  async shutdown(): Promise<void> {
    await Promise.all(this.underWay);
  }

  abort(): void {
    this.ending.abort(new Error('the node stops'));
  }

  private async deliver(
    spans: ReadableSpan[],
    done: (result: ExportResult) => void,
  ): Promise<void> {
    let failure: unknown = null;
    try {
      await this.send(spans);
    } catch (error) {
      failure = error;
    }
    this.tell(failure);
    if (failure === null) done({ code: ExportResultCode.SUCCESS });
    else done({ code: ExportResultCode.FAILED, error: failure as Error });
  }

  private async send(spans: ReadableSpan[]): Promise<void> {
    const { url, timeout } = this.settings;
    const response = await fetch(url, {
      method: 'POST',
      headers: this.headers,
      body: JsonTraceSerializer.serializeRequest(spans) ?? new Uint8Array(),
      signal: AbortSignal.any([this.ending.signal, AbortSignal.timeout(timeout)]),
      redirect: 'error',
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`it answers ${response.status}`);
  }

  private tell(error: unknown): void {
    const isLost = error !== null;
    if (isLost === this.isLost || this.ending.signal.aborted) return;
    this.isLost = isLost;
    const { origin } = new URL(this.settings.url);
    if (isLost) {
      const reason = reasonOf(error);
      this.logger?.warn({ reason }, `traces are lost: ${origin} does not take them`);
    } else this.logger?.warn(`traces are taken again by ${origin}`);
  }
}

/** fetch puts the reason into the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? reason ?? message;
}
