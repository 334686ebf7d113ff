import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newChainId, sharedIdWarning } from './chain-ids.ts';
import { openDataDir } from './data-dir.ts';
import { DataDirError } from '@netd/engine';
import { generateKeyFile, KeyFileError } from './keys.ts';
import { tempDir } from '@netd/testkit/temp-dir';

const now = (): number => Date.parse('2026-01-01T00:00:00.000Z');

describe('a new chain', () => {
  test('has its own id if none is named', (t) => {
    const [one, other] = [openDataDir(tempDir(t), { now }), openDataDir(tempDir(t), { now })];
    for (const { genesis, operator, validator } of [one, other]) {
      assert.match(genesis.chainId, /^net-devnet-[a-z2-9]{8}$/);
      assert.deepEqual([operator.chainId, validator.chainId], [genesis.chainId, genesis.chainId]);
    }
    assert.notEqual(one.genesis.chainId, other.genesis.chainId);
    assert.equal(openDataDir(one.path, { now }).genesis.chainId, one.genesis.chainId);
  });

  test('has the id of the keys that a start left which did not come to its end', (t) => {
    const path = tempDir(t);
    const { genesis, operator } = openDataDir(path, { now });
    rmSync(join(path, 'genesis.json'));
    rmSync(join(path, 'keys', 'validator.json'));
    const again = openDataDir(path, { now });
    assert.equal(again.genesis.chainId, genesis.chainId);
    assert.deepEqual(again.operator, operator);
  });
});

describe('a chosen chain id', () => {
  test('is kept, and warned of', (t) => {
    const { genesis } = openDataDir(tempDir(t), { chainId: 'net-shared', now });
    assert.equal(genesis.chainId, 'net-shared');
    for (const id of ['net-shared', 'net-business', 'x2345678', 'net-devnet-1']) {
      assert.match(sharedIdWarning(id) ?? '', /counts here too; --unique adds/, id);
    }
  });

  test('gets a random suffix if it is to be unique', (t) => {
    const [one, other] = [tempDir(t), tempDir(t)].map(
      (path) => openDataDir(path, { chainId: 'net-shared', unique: true, now }).genesis.chainId,
    );
    assert.match(one ?? '', /^net-shared-[a-z2-9]{8}$/);
    assert.notEqual(one, other);
    assert.equal(sharedIdWarning(one ?? ''), null);
    for (let i = 0; i < 50; i += 1) assert.equal(sharedIdWarning(newChainId()), null);
  });

  test('needs no suffix at a restart, also if the first start was interrupted', (t) => {
    const path = tempDir(t);
    const chainId = 'net-shared';
    const first = openDataDir(path, { chainId, unique: true, now }).genesis.chainId;
    rmSync(join(path, 'genesis.json'));
    for (const options of [{ chainId, unique: true }, { chainId }, { chainId: first }, {}]) {
      assert.equal(openDataDir(path, { ...options, now }).genesis.chainId, first);
    }
    assert.throws(() => openDataDir(path, { chainId: 'net', now }), /holds the chain net-shared-/);
    assert.throws(() => openDataDir(path, { chainId: 'net-share', now }), DataDirError);
  });

  test('cannot become unique once the chain has begun', (t) => {
    const path = tempDir(t);
    openDataDir(path, { chainId: 'net-shared', now });
    assert.throws(
      () => openDataDir(path, { chainId: 'net-shared', unique: true, now }),
      /holds the chain net-shared, not net-shared with a random suffix/,
    );
  });

  test('is refused if a suffix would make it too long', (t) => {
    const path = tempDir(t);
    const chainId = 'n'.repeat(42);
    assert.throws(() => openDataDir(path, { chainId, unique: true, now }), /at most 41 characters/);
    assert.deepEqual(readdirSync(path), []);
  });
});

describe('a data directory is refused', () => {
  test('if the id for a new chain is invalid, before anything is written', (t) => {
    const path = tempDir(t);
    for (const chainId of ['', 'x', '../up', '-net', 'n'.repeat(51), 'net-a\n']) {
      assert.throws(() => openDataDir(path, { chainId, now }), /cannot be the id of a chain/);
    }
    assert.deepEqual(readdirSync(path), []);
  });

  test('if it holds another chain', (t) => {
    const path = tempDir(t);
    openDataDir(path, { chainId: 'net-a', now });
    assert.throws(() => openDataDir(path, { chainId: 'net-b', now }), DataDirError);
    assert.equal(openDataDir(path, { chainId: 'net-a', now }).genesis.chainId, 'net-a');
    assert.equal(openDataDir(path, { now }).genesis.chainId, 'net-a');
  });

  test('in open mode, if its genesis is in secure mode', (t) => {
    const path = tempDir(t);
    openDataDir(path, { now });
    assert.throws(() => openDataDir(path, { open: true, now }), /secure mode/);
  });

  test('if the clock cannot be right for a new chain, before anything is written', (t) => {
    const path = tempDir(t);
    const open = (time: number) => openDataDir(path, { now: () => time });
    // Machines without a battery say 1970 or 2000; 2106 is the end of 32 bits.
    for (const wrong of [0, Date.parse('2000-01-01T00:00:00Z'), 0xffff_ffff * 1_000]) {
      assert.throws(
        () => open(wrong),
        (error: Error) => {
          assert.ok(error instanceof DataDirError);
          assert.match(
            error.message,
            /^the clock of this machine says .*; set the clock, and start again$/,
          );
          assert.ok(error.message.includes(new Date(wrong).toISOString()), error.message);
          return true;
        },
      );
    }
    assert.deepEqual(readdirSync(path), []);
    // An existing chain opens whatever the clock says: other code compares the clock with the last block.
    assert.equal(open(now()).genesis.genesisTime, new Date(now()).toISOString());
    open(0);
  });

  test('if the genesis document is broken', (t) => {
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

  test('if the validator key is not the one of the genesis document', (t) => {
    const path = tempDir(t);
    openDataDir(path, { now });
    const validatorPath = join(path, 'keys', 'validator.json');
    const other = JSON.stringify(generateKeyFile('net-devnet-1', 'validator-1'));
    writeFileSync(validatorPath, other, { mode: 0o600 });
    assert.throws(() => openDataDir(path, { now }), /not the key of a validator/);
  });

  test('if a key is missing beside the genesis document: a new one would not help', (t) => {
    const path = tempDir(t);
    const { genesis } = openDataDir(path, { now });
    for (const name of ['operator.json', 'validator.json']) {
      const keyPath = join(path, 'keys', name);
      renameSync(keyPath, join(path, name));
      assert.throws(() => openDataDir(path, { now }), {
        name: 'DataDirError',
        message: new RegExp(`${keyPath} is missing.*put the old one back`),
      });
      assert.ok(!existsSync(keyPath));
      renameSync(join(path, name), keyPath);
    }
    assert.deepEqual(openDataDir(path, { now }).genesis, genesis);
  });

  test("if the operator's key belongs to another agent, but not if it is a rotated one", (t) => {
    const path = tempDir(t);
    const { operatorKeyPath } = openDataDir(path, { now });
    const write = (actorId: string): void =>
      writeFileSync(operatorKeyPath, JSON.stringify(generateKeyFile('net-devnet-1', actorId)));
    write('alice');
    assert.throws(() => openDataDir(path, { now }), /key of alice, which is no operator/);
    write('operator');
    openDataDir(path, { now });
  });

  test('if others can read a key', (t) => {
    if (process.platform === 'win32') return t.skip('no such modes');
    const path = tempDir(t);
    openDataDir(path, { now });
    for (const name of ['operator.json', 'validator.json']) {
      const keyPath = join(path, 'keys', name);
      for (const mode of [0o644, 0o640, 0o602]) {
        chmodSync(keyPath, mode);
        assert.throws(() => openDataDir(path, { now }), {
          name: KeyFileError.name,
          message: new RegExp(`mode ${mode.toString(8)}\\): run chmod 600 '${keyPath}'`),
        });
      }
      chmodSync(keyPath, 0o400);
      openDataDir(path, { now });
    }
  });

  test('if the file system refuses', (t) => {
    const path = tempDir(t);
    openDataDir(path, { now });
    rmSync(join(path, 'genesis.json'));
    mkdirSync(join(path, 'genesis.json'));
    assert.throws(
      () => openDataDir(path, { now }),
      /DataDirError: .* a directory in the place of a file/,
    );
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

test('what a killed process left behind is swept, drafts with keys above all', (t) => {
  const path = tempDir(t);
  openDataDir(path, { now });
  const kept = ['chain.old', '.draft', '.1.x.draft.bak'];
  for (const folder of [path, join(path, 'keys')]) {
    writeFileSync(join(folder, '.123.0f3a.draft'), 'half a k');
    for (const name of kept) writeFileSync(join(folder, name), '');
  }
  writeFileSync(join(path, 'dev.json'), '{"schema":"NET-DEV/1"}');
  openDataDir(path, { now });
  const own = (folder: string): string[] => readdirSync(folder).filter((n) => !kept.includes(n));
  assert.deepEqual(own(path).toSorted(), ['genesis.json', 'keys']);
  assert.deepEqual(own(join(path, 'keys')).toSorted(), ['operator.json', 'validator.json']);
});
