/** Settings of traces from OpenTelemetry's variables, and refused values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceSettings, TraceSettingsError } from './trace-settings.ts';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

test('exports no traces without an address, or if they are switched off', () => {
  assert.equal(traceSettings({}), null);
  assert.equal(traceSettings({ [ENDPOINT]: ' ', OTEL_SERVICE_NAME: 'mine' }), null);
  const on = { [ENDPOINT]: 'http://127.0.0.1:4318' };
  assert.equal(traceSettings({ ...on, OTEL_SDK_DISABLED: 'true' }), null);
  assert.equal(traceSettings({ ...on, OTEL_TRACES_EXPORTER: 'none' }), null);
  assert.ok(traceSettings(on));
});

test('the most particular address holds: the option, that of traces, that of all signals', () => {
  const all = { [ENDPOINT]: 'https://otlp.example/base/' };
  const traces = { ...all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other.example/exactly' };
  assert.equal(traceSettings(all)?.url, 'https://otlp.example/base/v1/traces');
  assert.equal(traceSettings(traces)?.url, 'http://other.example/exactly');
  const optional = traceSettings(traces, 'http://127.0.0.1:4318')?.url;
  assert.equal(optional, 'http://127.0.0.1:4318/v1/traces');
});

test('applies the other variables, those of traces before those of all signals', () => {
  const settings = traceSettings({
    [ENDPOINT]: 'http://127.0.0.1:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=all',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=traces',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1500',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_SERVICE_NAME: 'mine',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  });
  assert.deepEqual(settings, {
    url: 'http://127.0.0.1:4318/v1/traces',
    headers: 'authorization=traces',
    resourceAttributes: 'deployment.environment.name=test',
    serviceName: 'mine',
    timeout: 1_500,
    delay: 50,
    sampler: 'parentbased_traceidratio',
    ratio: 0.25,
  });
});

test('refuses an invalid value with what to write, without printing secrets', () => {
  const refused = (more: Record<string, string>): string => {
    let sentence = '';
    assert.throws(
      () => traceSettings({ [ENDPOINT]: 'http://127.0.0.1:4318', ...more }),
      (error) => {
        assert.ok(error instanceof TraceSettingsError);
        sentence = error.message;
        return true;
      },
    );
    return sentence;
  };
  assert.match(refused({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }), /4318/);
  assert.match(refused({ OTEL_TRACES_SAMPLER: 'jaeger_remote' }), /parentbased_always_on/);
  assert.match(refused({ OTEL_TRACES_SAMPLER_ARG: '2' }), /from 0 to 1 /);
  assert.match(refused({ OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }), /OTEL_EXPORTER_OTLP_TIMEOUT=soon/);
  assert.match(refused({ [ENDPOINT]: 'collector:4318' }), /http or https/);
  const secret = refused({ [ENDPOINT]: 'http://me:secret@127.0.0.1:4318' });
  assert.match(secret, /OTEL_EXPORTER_OTLP_HEADERS/);
  assert.doesNotMatch(secret, /secret@/);
});
