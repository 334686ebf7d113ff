/** The bound of `.ci/run`, with programs in place of npm and apt-get that hang. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const skip = !existsSync('/proc/self/environ') && 'there is no /proc here';
const SCRIPT = fileURLToPath(new URL('../../.ci/run', import.meta.url));

test(
  'ends after its bound, says so, and leaves no process that left its group',
  { skip, timeout: 30_000 },
  async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'ci-run-'));
    t.after(() => rmSync(root, { recursive: true }));
    for (const folder of ['.ci', 'bin']) mkdirSync(join(root, folder));
    cpSync(SCRIPT, join(root, '.ci/run'));
    const hangs = `#!/bin/sh
[ "$1" = ci ] || exit 0
setsid sh -c 'trap "" TERM; echo $$ >${root}/pid; sleep 300' &
sleep 300
`;
    for (const name of ['npm', 'apt-get']) {
      writeFileSync(join(root, 'bin', name), name === 'npm' ? hangs : '#!/bin/sh\n');
      chmodSync(join(root, 'bin', name), 0o755);
    }
    const { status, stderr } = spawnSync('bash', [join(root, '.ci/run')], {
      env: { PATH: `${join(root, 'bin')}:${process.env['PATH']}`, NETD_CI_SECONDS: '1' },
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(status, 124, stderr);
    assert.match(stderr, /ended after its bound of 1 s/);
    const pid = readFileSync(join(root, 'pid'), 'utf8').trim();
    assert.notEqual(pid, '');
    // Its new parent must still reap the killed process.
    while (existsSync(`/proc/${pid}`)) await pause(20);
  },
);
