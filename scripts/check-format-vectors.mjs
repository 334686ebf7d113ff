/** Runs vectors/formats/ with the Python SDK, in its own environment. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonSdkEnvironment } from './python-environment.ts';

const script = fileURLToPath(new URL('check-format-vectors.py', import.meta.url));
const programs = await pythonSdkEnvironment('vectors/formats/ in Python');
if (programs !== null) {
  const check = [script, ...process.argv.slice(2)];
  const { status, error } = spawnSync(join(programs, 'python'), check, { stdio: 'inherit' });
  if (error) throw error;
  process.exitCode = status ?? 1;
}
