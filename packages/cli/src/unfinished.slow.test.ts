/** Commands fail if their work never ends, fails outside an await, or loses its process. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { EXIT } from './exit-codes.ts';
import { Command, type Ended } from './testing/command.ts';

const home = mkdtempSync(join(tmpdir(), 'netd-unfinished-'));
after(() => rmSync(home, { recursive: true, force: true }));
mkdirSync(join(home, 'data', 'chain'), { recursive: true });

const BROKEN = new URL('testing/broken-work.mjs', import.meta.url).href;
const URL_OF_NOBODY = 'http://127.0.0.1:9';

const COMMANDS = [
  'verify -d data',
  `verify --url ${URL_OF_NOBODY}`,
  `compare ${URL_OF_NOBODY} http://127.0.0.1:10`,
  'doctor -d data',
  'backup -d data --to backup',
  'restore -d other --from backup',
  'promote -d data --keys keys',
  `recover -d data --from ${URL_OF_NOBODY}`,
  'upgrade --check -d data',
  'replay -d data --act ada transfer to=bob amount=1',
  `trace ${'a'.repeat(64)} -d data`,
];

function run(words: string, failure: 'hang' | 'late' | 'lost' | 'crash'): Promise<Ended> {
  const env = { NODE_OPTIONS: `--import ${BROKEN}`, NET_TEST_FAILURE: failure };
  return new Command(words.split(' '), home, undefined, env).ended;
}

describe('a command whose work never ends', () => {
  for (const words of COMMANDS) {
    test(`fails: netd ${words}`, async () => {
      const { code, stdout, stderr } = await run(words, 'hang');
      assert.equal(code, EXIT.unfinished, stderr);
      assert.match(stderr, /netd: the command ended without a result/);
      assert.equal(stdout, '');
    });
  }

  test('says so to a script as JSON', async () => {
    const { code, stdout } = await run('upgrade --check -d data --json', 'hang');
    assert.equal(code, EXIT.unfinished);
    assert.equal((JSON.parse(stdout) as { code: string }).code, 'UNFINISHED');
  });
});

describe('a command with an error outside of what it awaits', () => {
  for (const words of ['verify -d data', 'restore -d other --from backup']) {
    test(`fails: netd ${words}`, async () => {
      const { code, stdout, stderr } = await run(words, 'late');
      assert.equal(code, EXIT.failed);
      assert.match(stderr, /Error: late/);
      assert.equal(stdout, '');
    });
  }
});

describe('a command whose child ends without a report', () => {
  test('fails: netd verify', async () => {
    const { code, stderr } = await run('verify -d data', 'lost');
    assert.equal(code, EXIT.failed);
    assert.match(stderr, /netd: netd verify ended without a result \(code 0\): run it again/);
  });

  test('fails: netd doctor', async () => {
    const { code, stdout } = await run('doctor -d data', 'lost');
    assert.equal(code, EXIT.failed);
    assert.match(stdout, /fix +database +reading .* ended the process \(0\)/);
  });
});

describe('a command whose child crashes', () => {
  for (const words of COMMANDS.filter((each) => !/^(compare|doctor)/.test(each))) {
    test(`says that the database is damaged: netd ${words}`, async () => {
      const { code, stderr, stdout } = await run(words, 'crash');
      assert.deepEqual([code, stdout], [EXIT.failed, '']);
      assert.match(
        stderr,
        /^netd: reading a database file ended the process \(SIGSEGV\), so .*\(netd restore\)/,
      );
    });
  }

  test('says so to a script as JSON', async () => {
    const { code, stdout } = await run('backup -d data --to backup --json', 'crash');
    assert.equal(code, EXIT.failed);
    assert.equal((JSON.parse(stdout) as { code: string }).code, 'DATABASE_DAMAGED');
  });

  test('fails: netd doctor', async () => {
    const { code, stdout } = await run('doctor -d data', 'crash');
    assert.equal(code, EXIT.failed);
    assert.match(stdout, /fix +database +reading .* ended the process \(SIGSEGV\)/);
  });
});
