/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */

export interface TraceSettings {
  url: string;
  headers: string;
  resourceAttributes: string;
  serviceName: string;
  timeout: number;
  /** Milliseconds that a span waits for its batch. */
  delay: number;
  sampler: Sampler;
  ratio: number;
}

const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;
type Sampler = (typeof SAMPLERS)[number];

export class TraceSettingsError extends Error {
  override name = 'TraceSettingsError';
}

const TRACES_PATH = 'v1/traces';

/**
 * @param endpoint takes precedence over OTEL_EXPORTER_OTLP_ENDPOINT
 * @returns null if tracing is disabled
 * @throws TraceSettingsError with a sentence for the operator
 */
export function traceSettings(
  env: Readonly<Record<string, string | undefined>>,
  endpoint?: string,
): TraceSettings | null {
  const value = (name: string): string | undefined => env[name]?.trim() || undefined;
  const ofTraces = (name: string): string | undefined =>
    value(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? value(`OTEL_EXPORTER_OTLP_${name}`);
  const off = value('OTEL_SDK_DISABLED') === 'true' || value('OTEL_TRACES_EXPORTER') === 'none';
  const exact = endpoint === undefined ? value('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') : undefined;
  const base = endpoint ?? value('OTEL_EXPORTER_OTLP_ENDPOINT');
  const url =
    exact ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/${TRACES_PATH}`);
  if (off || url === undefined) return null;
  requireAddress(url);
  const protocol = ofTraces('PROTOCOL') ?? 'http/json';
  if (protocol === 'grpc') {
    throw new TraceSettingsError(
      'traces are sent as OTLP over HTTP, and not by grpc: name the port of the collector that takes HTTP, 4318 as a rule, and OTEL_EXPORTER_OTLP_PROTOCOL=http/json',
    );
  }
  const sampler = value('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  if (!isSampler(sampler)) {
    throw new TraceSettingsError(
      `OTEL_TRACES_SAMPLER=${sampler} is not known here: choose one of ${SAMPLERS.join(', ')}`,
    );
  }
  return {
    url,
    headers: ofTraces('HEADERS') ?? '',
    resourceAttributes: value('OTEL_RESOURCE_ATTRIBUTES') ?? '',
    serviceName: value('OTEL_SERVICE_NAME') ?? 'netd',
    timeout: numberOf('OTEL_EXPORTER_OTLP_TIMEOUT', ofTraces('TIMEOUT'), 10_000),
    delay: numberOf('OTEL_BSP_SCHEDULE_DELAY', value('OTEL_BSP_SCHEDULE_DELAY'), 5_000),
    sampler,
    ratio: numberOf('OTEL_TRACES_SAMPLER_ARG', value('OTEL_TRACES_SAMPLER_ARG'), 1, 1),
  };
}

function requireAddress(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (
    !parsed ||
    !['http:', 'https:'].includes(parsed.protocol) ||
    parsed.username + parsed.password !== ''
  ) {
    throw new TraceSettingsError(
      'the address that traces go to is not one: an http or https URL without a name and password in it is needed, as http://127.0.0.1:4318; what authorises stands in OTEL_EXPORTER_OTLP_HEADERS',
    );
  }
}

const isSampler = (name: string): name is Sampler => (SAMPLERS as readonly string[]).includes(name);

function numberOf(
  name: string,
  text: string | undefined,
  otherwise: number,
  most = 600_000,
): number {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (number >= 0 && number <= most) return number;
  throw new TraceSettingsError(`${name}=${text}: a number from 0 to ${most} is needed`);
}
