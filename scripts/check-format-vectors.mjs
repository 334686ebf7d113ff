/**
 * Runs vectors/formats/ in Python, with libraries for JWE and JSON Schema of its own. Where those cannot be installed
 * it says so and passes, except in CI: a machine with plain Python still runs every other test.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment } from './python-environment.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

let programs = null;
try {
  programs = pythonEnvironment('format-vectors', here('format-vectors-requirements.txt'));
} catch (error) {
  if (process.env.CI) throw error;
  console.error(
    `skipped: vectors/formats/ in Python, whose libraries are missing. ${error.message}`,
  );
}
if (programs !== null) {
  const check = [here('check-format-vectors.py'), ...process.argv.slice(2)];
  const { status, error } = spawnSync(join(programs, 'python'), check, { stdio: 'inherit' });
  if (error) throw error;
  process.exitCode = status ?? 1;
}
