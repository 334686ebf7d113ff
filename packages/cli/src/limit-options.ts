import type { Rates } from '@netd/node';
import { parseTrustProxy, type TrustProxy } from '@netd/client-limits';
import { traceSettings, type TraceSettings, TraceSettingsError } from '@netd/server/trace-settings';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { UsageError } from './command-error.ts';
import { contactUri, httpUrl, wholeNumber } from './option-values.ts';

export interface LimitOptions {
  trustProxy?: TrustProxy;
  writeRate?: number;
  maxConnections?: number;
  addressConnections?: number;
}

const MOST = 1_000_000;

export function addLimitOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--trust-proxy [proxies]',
        'trust X-Forwarded-For of reverse proxies, by their number or their addresses: 1, loopback, 10.0.0.0/8,192.0.2.7',
      )
        .env('NET_TRUST_PROXY')
        .preset('1')
        .argParser(trustProxy),
    )
    .addOption(
      new Option(
        '--write-rate <number>',
        'writes per minute and address, unless on loopback (default: 600)',
      )
        .env('NET_WRITE_RATE')
        .argParser(wholeNumber(1, MOST)),
    )
    .addOption(
      new Option(
        '--max-connections <number>',
        'connections at once (default: as many as the limit of open files allows)',
      )
        .env('NET_MAX_CONNECTIONS')
        .argParser(wholeNumber(8, MOST)),
    )
    .addOption(
      new Option(
        '--address-connections <number>',
        'connections of one address, unless on loopback (default: 256)',
      )
        .env('NET_ADDRESS_CONNECTIONS')
        .argParser(wholeNumber(1, MOST)),
    );
}

function trustProxy(text: string): TrustProxy {
  if (['true', 'yes', 'on'].includes(text)) return 1;
  try {
    return parseTrustProxy(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** Options of NodeLimitOptions that a running node can change. */
export const LIVE_LIMITS = ['writeRate', 'readRate', 'registrationRate', 'firstDrawRate'];

export interface NodeLimitOptions extends LimitOptions {
  readRate?: number;
  registrationRate?: number;
  firstDrawRate?: number;
  securityContact?: string;
  metricsListen?: { host: string; port: number };
  otlpEndpoint?: string;
}

export function addNodeLimitOptions(command: Command): Command {
  return addLimitOptions(command)
    .addOption(
      new Option(
        '--read-rate <number>',
        'reads per minute and address that no cache answers, unless on loopback (default: no limit)',
      )
        .env('NET_READ_RATE')
        .argParser(wholeNumber(1, MOST)),
    )
    .addOption(
      new Option(
        '--registration-rate <number>',
        'agents that one address may register in an hour, unless on loopback (default: 120)',
      )
        .env('NET_REGISTRATION_RATE')
        .argParser(wholeNumber(1, MOST)),
    )
    .addOption(
      new Option(
        '--first-draw-rate <number>',
        'agents of one address that may draw from the faucet for the first time in a day, unless on loopback (default: 100)',
      )
        .env('NET_FIRST_DRAW_RATE')
        .argParser(wholeNumber(1, MOST)),
    )
    .addOption(
      new Option(
        '--security-contact <uri>',
        'where to report a vulnerability: mailto:, tel: or https:; served as /.well-known/security.txt',
      )
        .env('NET_SECURITY_CONTACT')
        .argParser(contactUri),
    )
    .addOption(
      new Option(
        '--metrics-listen <host:port>',
        'separate address for /metrics and health; the public one then has no /metrics',
      ).argParser(hostAndPort),
    )
    .addOption(
      new Option(
        '--otlp-endpoint <url>',
        'OpenTelemetry collector that receives spans of requests over HTTP (default: no traces)',
      )
        .env('OTEL_EXPORTER_OTLP_ENDPOINT')
        .argParser(httpUrl),
    );
}

function hostAndPort(text: string): { host: string; port: number } {
  const [, v6, name, port = ''] = /^(?:\[([\da-fA-F:]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = v6 ?? name;
  if (host === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError('host:port is needed, for example 127.0.0.1:9420.');
  }
  return { host, port: Number(port) };
}

/** Returns the part of `nodeLimits` that a running node can change. */
export function nodeRates(options: NodeLimitOptions): Rates {
  const { writeRate, readRate, registrationRate, firstDrawRate } = options;
  return {
    ...(writeRate === undefined ? {} : { writesPerMinute: writeRate }),
    ...(readRate === undefined ? {} : { readsPerMinute: readRate }),
    newcomers: {
      ...(registrationRate === undefined ? {} : { registrationsPerHour: registrationRate }),
      ...(firstDrawRate === undefined ? {} : { firstDrawsPerDay: firstDrawRate }),
    },
  };
}

export function nodeLimits(options: NodeLimitOptions): Rates &
  Pick<NodeLimitOptions, 'trustProxy' | 'securityContact' | 'metricsListen'> & {
    traces?: TraceSettings;
    limits: ReturnType<typeof connectionLimits>;
  } {
  const { trustProxy: proxies, securityContact, metricsListen, otlpEndpoint } = options;
  return {
    ...nodeRates(options),
    ...(proxies === undefined ? {} : { trustProxy: proxies }),
    ...(securityContact === undefined ? {} : { securityContact }),
    ...(metricsListen === undefined ? {} : { metricsListen }),
    ...tracesOf(otlpEndpoint),
    limits: connectionLimits(options),
  };
}

function tracesOf(endpoint: string | undefined): { traces?: TraceSettings } {
  try {
    const traces = traceSettings(process.env, endpoint);
    return traces ? { traces } : {};
  } catch (error) {
    if (error instanceof TraceSettingsError) throw new UsageError(error.message);
    throw error;
  }
}

export function connectionLimits({ maxConnections, addressConnections }: LimitOptions): {
  connections?: number;
  connectionsPerAddress?: number;
} {
  return {
    ...(maxConnections === undefined ? {} : { connections: maxConnections }),
    ...(addressConnections === undefined ? {} : { connectionsPerAddress: addressConnections }),
  };
}
