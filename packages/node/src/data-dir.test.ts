import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DataDirError, lockDataDir, openDataDir } from './data-dir.ts';
import { tempDir } from './testing/temp-dir.ts';

const now = (): number => Date.parse('2026-01-01T00:00:00.000Z');

describe('a data directory is refused', () => {
  test('where it holds another chain', (t) => {
    const path = tempDir(t);
    openDataDir(path, { chainId: 'net-a', now });
    assert.throws(() => openDataDir(path, { chainId: 'net-b', now }), DataDirError);
    assert.equal(openDataDir(path, { chainId: 'net-a', now }).genesis.chainId, 'net-a');
    assert.equal(openDataDir(path, { now }).genesis.chainId, 'net-a');
  });

  test('in open mode, where its genesis is in secure mode', (t) => {
    const path = tempDir(t);
    openDataDir(path, { now });
    assert.throws(() => openDataDir(path, { open: true, now }), /secure mode/);
  });

  test('where the genesis document is broken', (t) => {
    const path = tempDir(t);
    openDataDir(path, { now });
    const genesisPath = join(path, 'genesis.json');
    const good = readFileSync(genesisPath, 'utf8');
    for (const [text, reason] of [
      ['{', /is not JSON/],
      ['{}', /is not a valid genesis document/],
      [good.replace('"epoch": 1', '"epoch": 0'), /is not a valid genesis document/],
    ] as const) {
      writeFileSync(genesisPath, text);
      assert.throws(() => openDataDir(path, { now }), reason);
    }
  });

  test('where the validator key is not the one of the genesis document', (t) => {
    const path = tempDir(t);
    openDataDir(path, { now });
    rmSync(join(path, 'keys', 'validator.json'));
    assert.throws(() => openDataDir(path, { now }), /not the key of a validator/);
  });
});

test('a new data directory has keys for its owner only, and a genesis document that names them', (t) => {
  const path = join(tempDir(t), 'deep', 'down');
  const { genesis, operator, validator } = openDataDir(path, { now });
  assert.equal(genesis.genesisTime, '2026-01-01T00:00:00.000Z');
  assert.equal(genesis.operators[0]?.publicKey, operator.publicKey);
  assert.equal(genesis.validators[0]?.consensusPublicKey, validator.publicKey);
  for (const name of ['operator.json', 'validator.json']) {
    assert.equal(statSync(join(path, 'keys', name)).mode & 0o777, 0o600);
  }
  const again = openDataDir(path, { now: () => 0 });
  assert.deepEqual(again.genesis, genesis);
  assert.deepEqual(again.operator, operator);
});

test('a start that stopped between keys and genesis is finished by the next one', (t) => {
  const path = tempDir(t);
  const { operator } = openDataDir(path, { now });
  rmSync(join(path, 'genesis.json'));
  const again = openDataDir(path, { now });
  assert.equal(again.genesis.operators[0]?.publicKey, operator.publicKey);
});

describe('the lock', () => {
  test('keeps a second node out, and names the first', (t) => {
    const path = tempDir(t);
    const unlock = lockDataDir(path);
    assert.throws(() => lockDataDir(path), new RegExp(`process ${process.pid}`));
    unlock();
    lockDataDir(path)();
    assert.deepEqual(readdirSync(path), []);
  });

  test('of a living process is respected, of a dead one taken over', async (t) => {
    const path = tempDir(t);
    const script = `import { lockDataDir } from ${JSON.stringify(import.meta.resolve('./data-dir.ts'))};
      lockDataDir(${JSON.stringify(path)});
      console.log('locked');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    assert.throws(() => lockDataDir(path), new RegExp(`process ${child.pid}`));
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.ok(existsSync(join(path, 'lock')));
    lockDataDir(path)();
    assert.deepEqual(readdirSync(path), []);
  });

  test('whose process id was given to somebody else is taken over', (t) => {
    if (!existsSync('/proc/self/stat')) return t.skip('the start of a process cannot be told here');
    const path = tempDir(t);
    writeFileSync(join(path, 'lock'), JSON.stringify({ pid: process.pid, started: '1' }));
    lockDataDir(path)();
  });

  test('that cannot be read is taken over', (t) => {
    const path = tempDir(t);
    for (const text of ['', '{', 'null']) {
      writeFileSync(join(path, 'lock'), text);
      lockDataDir(path)();
    }
  });
});
