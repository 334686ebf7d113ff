import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError, explained, isKnownError, problemOf, sentenceOf } from './command-error.ts';

const missing = (url: string): Promise<unknown> => import(url).then(assert.fail, (error) => error);

test('a checkout without its generated files says how to build it', async () => {
  const error = explained(await missing('./generated/not-there.ts'));
  assert.ok(isKnownError(error));
  assert.match(error.message, /npm run build/);
});

test('another file that is missing is a defect, seen whole', async () => {
  const error = await missing('./not-there.ts');
  assert.equal(explained(error), error);
  assert.ok(!isKnownError(error));
});

test('a deleted working directory says to leave it', () => {
  const gone = Object.assign(new Error('uv_cwd'), { code: 'ENOENT', syscall: 'uv_cwd' });
  const error = explained(gone);
  assert.ok(isKnownError(error));
  assert.match(error.message, /change to another/);
});

test('a damaged database and a missing temporary folder say what to do', () => {
  const damaged = Object.assign(new Error('MDB_CORRUPTED: Located page was wrong type'), {
    code: -30796,
  });
  const missingFolder = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'mkdtemp' });
  // LMDB's error while copying has no number.
  const inCopy = new Error('MDB_CORRUPTED: Located page was wrong type');
  for (const [error, sentence] of [
    [explained(inCopy), /cannot be read \(MDB_CORRUPTED.*netd restore/],
    [explained(damaged), /cannot be read \(MDB_CORRUPTED.*netd restore/],
    [explained(missingFolder), /name another one with TMPDIR/],
  ] as const) {
    assert.ok(isKnownError(error));
    assert.match(error.message, sentence);
  }
});

test('a file that the system refuses gets a sentence, a port that it refuses does not', () => {
  const refused = (code: string, syscall: string): Error =>
    Object.assign(new Error(`${code}: refused, ${syscall}`), { code, syscall });
  for (const [code, syscall, sentence] of [
    ['ENOENT', 'open', /make it, or name another one/],
    ['ENOSPC', 'write', /the disk is full/],
    ['EACCES', 'open', /change its owner/],
  ] as const) {
    const error = explained(refused(code, syscall));
    assert.ok(isKnownError(error), code);
    assert.match(error.message, sentence);
  }
  const port = refused('EACCES', 'listen');
  assert.equal(explained(port), port);
});

test('neither a sentence nor the answer of --json shows the secrets of a URL', () => {
  const error = new CommandError('nothing answers at http://ada:secret@a.example/?key=secret');
  const shown = 'nothing answers at http://***@a.example/?***';
  assert.equal(sentenceOf(error), shown);
  assert.equal(problemOf(error)['title'], shown);
});
