/** The checks of clients/python as one test among the others: for its minute and a half it needs less than one core. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const CHECKS = fileURLToPath(new URL('python-sdk.mjs', import.meta.url));
/** Other tests take the cores meanwhile. */
const TIMEOUT = 600_000;

test('the Python client passes ruff, mypy and pytest', { timeout: TIMEOUT }, async (t) => {
  const { promise: told, resolve: tell } = Promise.withResolvers<string>();
  const child = execFile(process.execPath, [CHECKS], { signal: t.signal }, (error, out, errors) =>
    tell(`${error?.message ?? ''}${out}${errors}`),
  );
  const output = await told;
  assert.equal(child.exitCode, 0, output);
  t.diagnostic(output.trim().split('\n').at(-1) ?? '');
});
