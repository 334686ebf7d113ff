/**
 * Checks clients/python: ruff, mypy and pytest. Where their packages cannot be installed it says so and passes, except
 * in CI: a machine with plain Python still runs every other test.
 *
 *   node scripts/python-sdk.mjs [arguments of pytest]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonSdkEnvironment } from './python-environment.ts';

const cwd = fileURLToPath(new URL('../clients/python', import.meta.url));
const programs = await pythonSdkEnvironment('the checks of clients/python');
// The examples start nodes: with the Node that runs this.
const env = { ...process.env, NETD_NODE: process.execPath, PYTHONDONTWRITEBYTECODE: '1' };

const asked = process.argv.slice(2);
// Side by side: a file stays in one process, and with it the devnet that its tests share.
const parallel = [`--numprocesses=${availableParallelism()}`, '--dist=loadfile'];
const temporary = mkdtempSync(join(tmpdir(), 'netsdk-'));
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
const checks = [
  ['ruff', 'check', '--quiet', '.'],
  ['ruff', 'format', '--quiet', '--check', '.'],
  ['mypy', '--no-error-summary'],
  ['pytest', `--basetemp=${temporary}/p`, ...parallel, ...asked],
];
for (const [program, ...args] of programs === null ? [] : checks) {
  const { status, error } = spawnSync(join(programs, program), args, {
    cwd,
    env,
    stdio: 'inherit',
  });
  if (error) throw error;
  if (status !== 0) {
    console.error(`clients/python: ${program} ended with ${status}`);
    process.exit(status ?? 1);
  }
}
