/**
 * A validator loses its disk except for its keys. It gets a new record, signs again, and halts if a copy of the
 * lost disk still signs.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '@netd/testkit/free-port';
import { Command } from './testing/command.ts';
import { FourValidators } from './testing/four-validators.ts';
import { during } from './testing/started-nodes.ts';

const LOST = 3;
const NAME = 'validator-4';

test('recovers the record of a lost disk, and finds a twin', { timeout: 900_000 }, async (t) => {
  const it = await FourValidators.begin(t);
  if (!it) return;
  const { nodes } = it;
  const { dataDir } = it.place(LOST);
  const genesis = ['--genesis', nodes.genesisPath];
  const slashes = async (): Promise<number> =>
    (await it.at(0).client.read('/v1/events', { type: 'ValidatorDoubleSigned' })).events.length;

  /** Keeps the key of the validator and that of its node, as a backup of keys does. */
  const loseDisk = (): void => {
    const kept = join(nodes.home, 'kept');
    for (const file of [
      'keys/validator.json',
      'keys/owner.json',
      'cometbft/config/node_key.json',
    ]) {
      cpSync(join(dataDir, file), join(kept, file));
    }
    rmSync(dataDir, { recursive: true });
    renameSync(kept, dataDir);
  };
  const recover = async (): Promise<{ certifiedHeight: number; recordHeight: number }> => {
    const from = ['--from', `${it.at(0).url},${it.at(1).url}`];
    const line = ['recover', '--validator', '-d', dataDir, ...genesis, ...from, '--json'];
    const { code, stdout, stderr } = await new Command(line, nodes.home).ended;
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as { certifiedHeight: number; recordHeight: number };
  };
  /** Makes payments meanwhile, because only an advancing chain shows what the key has signed. */
  const whilePaying = <Result>(work: Promise<Result>): Promise<Result> =>
    during(work, () => it.pay(0));
  const votes = (): Promise<number> => it.untilVoteOf(NAME);

  await votes();
  const [backup, copy] = [join(nodes.home, 'backup'), join(nodes.home, 'copy')];
  const copying = ['backup', '-d', dataDir, '--to', backup];
  assert.equal((await new Command(copying, nodes.home).ended).code, 0);
  const restored = await new Command(['restore', '--from', backup, '-d', copy], nodes.home).ended;
  assert.match(restored.stdout, /one of several validators.*No node starts from it/);
  await it.down(LOST);
  loseDisk();
  const refused = await nodes.begin(it.place(LOST), genesis).ended;
  assert.notEqual(refused.code, 0);
  assert.match(
    refused.stderr + refused.stdout,
    /is here without its record .*netd recover --validator/,
  );

  const { certifiedHeight, recordHeight } = await whilePaying(recover());
  assert.ok(recordHeight > certifiedHeight + 1);
  await whilePaying(it.up(LOST, genesis));
  const signed = await votes();
  assert.ok(signed > recordHeight, `a vote at ${signed}, and the record is ${recordHeight}`);
  await it.agree();
  assert.equal(await slashes(), 0);

  // A copy of the disk signs on another machine when the original is lost.
  await it.down(LOST);
  const twin = { ...(await nodes.another('twin')), peers: nodes.peers.slice(0, LOST) };
  twin.p2pAddress = `127.0.0.1:${await freePort()}`;
  mkdirSync(twin.dataDir);
  cpSync(dataDir, twin.dataDir, { recursive: true });
  rmSync(join(twin.dataDir, 'cometbft/config/node_key.json'));
  loseDisk();
  const running = await whilePaying(nodes.start(twin, ['--only-here']));
  await votes();
  const again = await whilePaying(recover());
  const halted = await whilePaying(nodes.begin(it.place(LOST), genesis).ended);
  assert.notEqual(halted.code, 0);
  assert.match(
    halted.stderr + halted.stdout,
    new RegExp(
      `has voted at height \\d+ of CometBFT, and its record was recovered above height ${again.certifiedHeight} `,
    ),
  );
  assert.equal(await slashes(), 0);
  assert.equal((await nodes.stop(running)).code, 0);
});
