/** The data directory of one validator among several: its genesis, and the only place in which its key may sign. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { openCometDir, type CometDir, type CometDirOptions } from './comet-dir.ts';
import { beginChainOfMany, makeValidatorKeys, readValidatorCard } from './founders.ts';

/** Two validators with their own keys, and a genesis made on a third machine. */
function founded(t: TestContext): { at: (name: string) => string; genesisFile: string } {
  const home = tempDir(t);
  const at = (name: string): string => join(home, name);
  const cards = ['alpha', 'beta'].map((validatorId) =>
    makeValidatorKeys(at(validatorId), {
      chainId: 'net-two',
      validatorId,
      faultDomain: validatorId,
      address: `${validatorId}.example:26656`,
    }),
  );
  beginChainOfMany(at('desk'), cards, { now: Date.now() });
  return { at, genesisFile: at('desk/genesis.json') };
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
  const alpha = readValidatorCard.bind(null, at('alpha.json'));
  assert.throws(alpha, /there is no .*alpha\.json/);
  writeFileSync(at('alpha.json'), '{"schema": "NET-VALID');
  assert.throws(alpha, /is not what netd engine init prints/);
  assert.throws(
    () => openCometDir(at('beta'), { genesisFile: at('alpha.json') }),
    /alpha\.json is not JSON/,
  );
  const [card] = [
    makeValidatorKeys(at('alpha'), {
      chainId: 'net-two',
      validatorId: 'alpha',
      faultDomain: 'x',
      address: 'a:1',
    }),
  ];
  beginChainOfMany(at('other'), [card], { now: Date.now() });
  const foreign = at('other/genesis.json');
  assert.throws(
    () => openCometDir(at('beta'), { genesisFile: foreign }),
    /is the key of beta, and the genesis of net-two names alpha/,
  );
  assert.ok(!existsSync(at('beta/genesis.json')));
  openCometDir(at('alpha'), { genesisFile });
  assert.throws(
    () => openCometDir(at('alpha'), { genesisFile: foreign }),
    /holds the chain net-two .* is another genesis/,
  );
  const twice = { ...card, chainId: 'net-three' };
  assert.throws(
    () => beginChainOfMany(at('third'), [card, twice], { now: Date.now() }),
    /of several chains \(net-two, net-three\)/,
  );
  assert.throws(
    () => beginChainOfMany(at('third'), [card, card], { now: Date.now() }),
    /make no genesis/,
  );
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
