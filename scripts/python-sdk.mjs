/**
 * Checks clients/python with ruff, mypy and pytest. If their packages cannot be installed, prints that and passes,
 * except in CI.
 * node scripts/python-sdk.mjs [--tests-only] [arguments of pytest]
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonSdkEnvironment } from './python-environment.ts';

const cwd = fileURLToPath(new URL('../clients/python', import.meta.url));
const programs = await pythonSdkEnvironment('the checks of clients/python');
// The examples start nodes with this Node.
const PYTHONPYCACHEPREFIX = fileURLToPath(
  new URL('../node_modules/.cache/pycache', import.meta.url),
);
const env = { ...process.env, NETD_NODE: process.execPath, PYTHONPYCACHEPREFIX };

const [first, ...others] = process.argv.slice(2);
const testsOnly = first === '--tests-only';
const asked = testsOnly ? others : process.argv.slice(2);
// In parallel by file, because a file's tests share a devnet.
const parallel = [`--numprocesses=${availableParallelism()}`, '--dist=loadfile'];
const temporary = mkdtempSync(join(tmpdir(), 'netsdk-'));
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));

/** Writes the guides' programs to files, because readers copy them into strictly checked projects. */
function guidePrograms() {
  const guides = fileURLToPath(new URL('../docs/guides', import.meta.url));
  const folder = join(temporary, 'guides');
  mkdirSync(folder);
  return readdirSync(guides).flatMap((guide) => {
    const text = readFileSync(join(guides, guide), 'utf8');
    return [...text.matchAll(/^```python\b[^\n]*\n([^]*?)^```/gm)].map(
      ([, program = ''], index) => {
        const file = join(folder, `${guide.replace('.md', '').replaceAll('-', '_')}_${index}.py`);
        writeFileSync(file, program);
        return file;
      },
    );
  });
}

const style = [
  ['ruff', 'check', '--quiet', '.'],
  ['ruff', 'format', '--quiet', '--check', '.'],
  ['mypy', '--no-error-summary'],
  ['mypy', '--no-error-summary', ...guidePrograms()],
];
const checks = [
  ...(testsOnly ? [] : style),
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
