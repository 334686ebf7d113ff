/** Several processes that need the same environment at once all get a whole one. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const PROGRAM = `
  const { pythonEnvironment } = await import(process.argv[1]);
  const [, , requirements, cache] = process.argv;
  console.log(await pythonEnvironment('test', requirements, cache));`;
const MODULE = new URL('./python-environment.ts', import.meta.url).href;

test(
  'processes that ask for one environment at once share it',
  { skip: spawnSync('python3', ['-c', 'import ensurepip']).status !== 0 && 'no venv here' },
  async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'netd-environment-'));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const requirements = join(directory, 'requirements.txt');
    writeFileSync(requirements, '# Nothing beyond what every environment has.\n');
    // Python itself, which writes down that it was called.
    const calls = join(directory, 'calls');
    const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)']).stdout;
    const script = `#!/bin/sh\necho "$*" >> '${calls}'\nexec '${python.toString().trim()}' "$@"\n`;
    writeFileSync(join(directory, 'python3'), script, { mode: 0o755 });
    const env = { ...process.env, PATH: `${directory}${delimiter}${process.env['PATH'] ?? ''}` };
    const cache = join(directory, 'cache');
    const ask = async (): Promise<string> => {
      const options = ['--input-type=module', '-e', PROGRAM, MODULE, requirements, cache];
      const { stdout } = await promisify(execFile)(process.execPath, options, { env });
      return stdout.trim();
    };
    const folders = await Promise.all([ask(), ask(), ask()]);
    const [folder] = folders;
    assert.deepEqual(folders, [folder, folder, folder]);
    const { status } = spawnSync(join(folder, 'python'), ['-m', 'pip', '--version']);
    assert.equal(status, 0);
    assert.equal(readFileSync(calls, 'utf8').trim().split('\n').length, 1, 'it was made once');
  },
);
