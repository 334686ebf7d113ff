/**
 * A validator whose key is in another process: CometBFT's own `priv_val_server` connects to the node and
 * signs for it.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readKeyFile } from '@netd/node/keys';
import { AgentKey, NetError, VerifiedReader } from '@netd/sdk';
import { freePort } from '@netd/testkit/free-port';
import { Command } from './testing/command.ts';
import { signerProgram, startSigner } from './testing/remote-signer.ts';
import { insist, StartedNodes } from './testing/started-nodes.ts';

test('a validator signs by a signer elsewhere, and waits for it', async (t) => {
  const nodes = await StartedNodes.make(t, 1);
  if (!nodes) return;
  const program = await signerProgram(t, nodes.home);
  if (program === null) return;
  const { chainId } = nodes.testnet;
  const place = nodes.placeOf(0);
  const keyFile = join(place.dataDir, 'keys', 'validator.json');
  const { privateKey } = readKeyFile(keyFile);
  const vault = join(nodes.home, 'vault');
  mkdirSync(vault);
  const [signerKey, record] = [join(vault, 'key.json'), join(vault, 'state.json')];
  const made = await new Command(
    [
      'engine',
      'init',
      '--data-dir',
      place.dataDir,
      '--chain-id',
      chainId,
      '--name',
      'validator-1',
      '--address',
      place.p2pAddress,
      '--fault-domain',
      'here',
      '--signer-key',
      signerKey,
    ],
    nodes.home,
  ).ended;
  assert.equal(made.code, 0, made.stderr);
  writeFileSync(record, '{"height": "0", "round": 0, "step": 0}');
  renameSync(keyFile, join(vault, 'validator.json'));

  const port = await freePort();
  const sign = (node: Promise<unknown>): Promise<ChildProcess> =>
    startSigner(program, { port, chainId, key: signerKey, record }, node);
  const starting = nodes.start(place, ['--remote-signer', `127.0.0.1:${port}`]);
  let signer = await sign(starting);
  try {
    const node = await starting;
    const { client } = node;
    await client.register({ actorId: 'ada', key: await AgentKey.generate() });

    // Without the signer there are no blocks, and writes are refused in time. Blocks continue when it
    // returns.
    signer.kill('SIGKILL');
    await once(signer, 'exit');
    const bob = { actorId: 'bob', key: await AgentKey.generate() };
    const isWaiting = (error: unknown): boolean =>
      error instanceof NetError && error.code === 'NO_QUORUM';
    await assert.rejects(client.register(bob), isWaiting);
    signer = await sign(node.command.lost());
    const cyd = { actorId: 'cyd', key: await AgentKey.generate() };
    await insist(() => client.register(cyd), 'AGENT_EXISTS');
    const { genesisHash } = await client.network();
    const { verdict } = await new VerifiedReader(client, { genesisHash }).readState('agent/cyd');
    assert.equal(verdict, 'trusted');
    const { height } = JSON.parse(readFileSync(record, 'utf8')) as { height: string };
    assert.ok(Number(height) > 0, 'the record is the signer’s');
    const key = JSON.parse(readFileSync(signerKey, 'utf8')) as { priv_key: { value: string } };
    const home = join(place.dataDir, 'cometbft');
    const own = readFileSync(join(home, 'config/priv_validator_key.json'), 'utf8');
    assert.ok(!own.includes(key.priv_key.value), 'the key is nowhere else');
    assert.equal((await nodes.stop(node)).code, 0);

    // With the key next to the signer, or on its own again, it would sign twice.
    renameSync(join(vault, 'validator.json'), keyFile);
    assert.equal(readKeyFile(keyFile).privateKey, privateKey);
    for (const more of [['--remote-signer', `127.0.0.1:${port}`], [], ['--only-here']]) {
      const { code, stdout } = await nodes.begin(place, more).ended;
      assert.notEqual(code, 0);
      assert.match(stdout, /sign twice|a signer elsewhere has signed for this node/);
    }
  } finally {
    signer.kill('SIGKILL');
  }
});
