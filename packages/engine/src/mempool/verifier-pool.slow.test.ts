/**
 * The pool gives correct verdicts with any library. It neither keeps a process alive nor lets it end too
 * early.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';

const POOL = new URL('verifier-pool.ts', import.meta.url).href;
const directory = mkdtempSync(join(tmpdir(), 'netd-verifier-pool-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const DEADLINE_MILLISECONDS = 120_000;

/** Verifies so many signatures, the first of them wrong, and never closes the pool. */
const script = (count: number): string => `
  import { generateKeyPairSync, sign } from 'node:crypto';
  import { VerifierPool } from ${JSON.stringify(POOL)};
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const pool = new VerifierPool(2);
  for (let round = 0; round < 2; round++) {
    const verdicts = await Promise.all(Array.from({ length: ${count} }, (_, i) => {
      const message = Buffer.from('message ' + i);
      const signature = sign(null, i === 0 ? Buffer.from('another') : message, privateKey);
      return pool.verify({ key, message, signature, isNewKey: false });
    }));
    console.log(verdicts.map((verdict) => verdict[0]).join(''));
  }
`;

// Beside the thread pool, in one batch, and more than the workers accept at once.
for (const count of [2, 100, 1_000]) {
  test(`a process that verifies ${count} signatures at a time gets them all, and ends by itself`, async () => {
    const file = join(directory, `verify-${count}.mjs`);
    writeFileSync(file, script(count));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], {
      timeout: DEADLINE_MILLISECONDS,
    });
    const line = `b${'v'.repeat(count - 1)}\n`;
    assert.equal(stdout, line + line);
    assert.equal(stderr, '', 'libsodium is there');
  });
}

/** Returns the options that make a process, and each of its threads, load a program first. */
function preload(name: string, program: string): string[] {
  const file = join(directory, `${name}.mjs`);
  writeFileSync(file, program);
  return ['--import', file];
}

const WITHOUT_LIBSODIUM = {
  'there is no binary for this machine': {
    // The package looks for a binary by architecture.
    preload: `Object.defineProperty(process, 'arch', { value: 'pdp11' });`,
    reason: /libsodium is out \(Cannot find addon/,
  },
  'the package is not there': {
    preload: `import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        return next(name === 'sodium-native' ? 'sodium-nowhere' : name, context);
      } });`,
    reason: /libsodium is out \(Cannot find package/,
  },
  'it takes what it should refuse': {
    preload: `import { registerHooks } from 'node:module';
      const url = 'data:text/javascript,export default { crypto_sign_verify_detached: () => true }';
      registerHooks({ resolve(name, context, next) {
        return name === 'sodium-native' ? { url, shortCircuit: true } : next(name, context);
      } });`,
    reason: /libsodium is out \(its verdicts are not/,
  },
};

for (const [why, { preload: program, reason }] of Object.entries(WITHOUT_LIBSODIUM)) {
  test(`signatures are verified, and it is said once, where ${why}`, async () => {
    const name = why.replaceAll(' ', '-');
    const file = join(directory, `without-${name}.mjs`);
    // More than a batch, so that both workers are used.
    writeFileSync(file, script(200));
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [...preload(name, program), file],
      { timeout: DEADLINE_MILLISECONDS },
    );
    const line = `b${'v'.repeat(199)}\n`;
    assert.equal(stdout, line + line);
    assert.match(stderr, reason);
    assert.equal(stderr.split('libsodium is out').length, 2, stderr);
  });
}
