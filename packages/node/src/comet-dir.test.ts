/** The data directory of one validator among several: its genesis, and the only place in which its key may sign. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { openCometDir, type CometDir, type CometDirOptions } from './comet-dir.ts';
import {
  beginChainOfMany,
  makeValidatorKeys,
  type CardFile,
  type ValidatorCard,
} from './founders.ts';
import { generateKeyFile } from './keys.ts';

/** Two validators with their own keys, and a genesis made on a third machine. */
function founded(t: TestContext): { at: (name: string) => string; genesisFile: string } {
  const home = tempDir(t);
  const at = (name: string): string => join(home, name);
  const cards = ['alpha', 'beta'].map((name) => cardOf(at(name), name));
  beginChainOfMany(at('desk'), cards, { now: Date.now() });
  return { at, genesisFile: at('desk/genesis.json') };
}

function cardOf(path: string, validatorId: string, chainId = 'net-two'): CardFile<ValidatorCard> {
  const address = `${validatorId}.example:26656`;
  const facts = { chainId, validatorId, faultDomain: validatorId, address };
  return { file: `${validatorId}.json`, card: makeValidatorKeys(path, facts) };
}

const RECORD = 'cometbft/data/priv_validator_state.json';

test('a validator takes the genesis that names it, and goes on with it', (t) => {
  const { at, genesisFile } = founded(t);
  assert.throws(() => openCometDir(at('alpha'), {}), /there is no chain in .*--genesis/);
  const first = openCometDir(at('alpha'), { genesisFile });
  assert.equal(first.validator?.actorId, 'alpha');
  assert.deepEqual(openCometDir(at('alpha'), {}).genesis, first.genesis);
  assert.equal(openCometDir(at('gamma'), { genesisFile, fullNode: true }).validator, null);
});

test('what does not go together is refused in a sentence, and leaves no chain behind', (t) => {
  const { at, genesisFile } = founded(t);
  writeFileSync(at('alpha.json'), '{"schema": "NET-VALID');
  assert.throws(
    () => openCometDir(at('beta'), { genesisFile: at('alpha.json') }),
    /alpha\.json is not JSON/,
  );
  beginChainOfMany(at('other'), [cardOf(at('gamma'), 'gamma', 'net-other')], { now: Date.now() });
  const foreign = at('other/genesis.json');
  assert.throws(
    () => openCometDir(at('beta'), { genesisFile: foreign }),
    /is the key of beta, and the genesis of net-other names gamma/,
  );
  assert.ok(!existsSync(at('beta/genesis.json')));
  openCometDir(at('alpha'), { genesisFile });
  assert.throws(
    () => openCometDir(at('alpha'), { genesisFile: foreign }),
    /holds the chain net-two .* is another genesis/,
  );
});

test('a key without its record is refused, because it may have signed', (t) => {
  const { at, genesisFile } = founded(t);
  const refused = (name: string, options: CometDirOptions = {}): void =>
    assert.throws(
      () => openCometDir(at(name), { genesisFile, ...options }),
      /is here without its record .*netd recover --validator --from URL,URL/,
    );
  // The copy has alpha's key only.
  cpSync(at('alpha/keys/validator.json'), at('copy/keys/validator.json'));
  refused('copy');
  refused('copy', { onlyHere: true });
  // A full node begins an empty record for a key of its own.
  mkdirSync(at('full/keys'), { recursive: true });
  openCometDir(at('full'), { genesisFile, fullNode: true });
  mkdirSync(at('full/cometbft/data'), { recursive: true });
  writeFileSync(join(at('full'), RECORD), '{"height": "0", "round": 0, "step": 0}');
  const late = { ...generateKeyFile('net-two', 'late') };
  writeFileSync(at('full/keys/validator.json'), JSON.stringify(late), { mode: 0o600 });
  refused('full');
  // A second engine init keeps the key, so it begins no record.
  cardOf(at('copy'), 'alpha');
  refused('copy');
});

test('a key signs in one place only', (t) => {
  const { at, genesisFile } = founded(t);
  const open = (name: string, options: CometDirOptions = {}): CometDir =>
    openCometDir(at(name), options);
  open('alpha', { genesisFile });
  writeFileSync(join(at('alpha'), RECORD), '{"height": "7", "round": 0, "step": 3}');
  open('alpha');
  cpSync(at('alpha'), at('copy'), { recursive: true });
  assert.throws(() => open('copy'), /is a copy: .*One key must never sign in two places/);
  // A copy of the chain without the record counts too.
  rmSync(at('copy/keys/signs-here.json'));
  assert.throws(() => open('copy'), /is missing, and this key has signed up to height 7/);
  assert.throws(
    () => open('alpha', { engineHome: at('elsewhere') }),
    /has signed with its engine in .*alpha.cometbft, which has the record of that/,
  );
  renameSync(join(at('alpha'), RECORD), at('lost'));
  assert.throws(() => open('alpha'), /is missing.* could vote twice/);
  renameSync(at('lost'), join(at('alpha'), RECORD));
  open('alpha');
  // The directory was moved, and the operator says so.
  open('copy', { onlyHere: true });
  open('copy');
  writeFileSync(at('copy/keys/signs-here.json'), '{"schema"');
  assert.throws(() => open('copy'), /signs-here\.json is damaged/);
});

test('a key that a signer elsewhere has signs there only', (t) => {
  const { at, genesisFile } = founded(t);
  const open = (options: CometDirOptions = {}): CometDir => openCometDir(at('alpha'), options);
  const away = { remoteSigner: 'tcp://127.0.0.1:26659' };
  const [key, record] = [at('alpha/keys/validator.json'), join(at('alpha'), RECORD)];
  open({ genesisFile });
  writeFileSync(record, '{"height": "7", "round": 0, "step": 3}');
  assert.throws(() => open(away), /validator\.json is here, and --remote-signer .* sign twice/);
  renameSync(key, at('key'));
  assert.throws(() => open(away), /has signed here up to height 7 .* --only-here once/);
  assert.equal(open({ ...away, onlyHere: true }).validator, null);
  assert.equal(open(away).remoteSigner, away.remoteSigner);
  // The file that was handed over lacks the signer's later signatures.
  renameSync(at('key'), key);
  for (const options of [{}, { onlyHere: true }]) {
    assert.throws(() => open(options), /a signer elsewhere has signed for this node: stop it/);
  }
  writeFileSync(record, '{"height": "9", "round": 0, "step": 3}');
  assert.throws(() => open(), /a signer elsewhere has signed/);
  assert.equal(open({ onlyHere: true }).validator?.actorId, 'alpha');
  open();
});

test('a key that has signed nothing moves to a signer without a word, but not from a copy', (t) => {
  const { at, genesisFile } = founded(t);
  const open = (name: string, options: CometDirOptions = {}): CometDir =>
    openCometDir(at(name), { genesisFile, remoteSigner: 'tcp://127.0.0.1:26659', ...options });
  renameSync(at('alpha/keys/validator.json'), at('key'));
  cpSync(at('alpha'), at('copy'), { recursive: true });
  // The original may have signed since.
  assert.throws(() => open('copy'), /is a copy: .*One key must never sign in two places/);
  assert.throws(
    () => open('alpha', { engineHome: at('copy/cometbft') }),
    /with its engine in .*alpha.cometbft/,
  );
  renameSync(join(at('alpha'), RECORD), at('record'));
  assert.throws(() => open('alpha'), /is missing.* could vote twice/);
  renameSync(at('record'), join(at('alpha'), RECORD));
  assert.equal(open('alpha').validator, null);
  renameSync(at('key'), at('alpha/keys/validator.json'));
  assert.throws(() => openCometDir(at('alpha'), {}), /a signer elsewhere has signed/);
  open('copy', { onlyHere: true });
});

test('a directory of another kind is refused', (t) => {
  const { at, genesisFile } = founded(t);
  mkdirSync(at('follower'));
  writeFileSync(at('follower/follow.json'), '{}');
  assert.throws(
    () => openCometDir(at('follower'), { genesisFile, fullNode: true }),
    /belongs to a follower/,
  );
  assert.throws(() => openCometDir(at('empty'), { genesisFile }), /say --full-node/);
});
