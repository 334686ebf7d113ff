/** `netd genesis new`: the chain uses the chosen parameters. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Command, startDev } from './testing/command.ts';

const home = mkdtempSync(join(tmpdir(), 'netd-genesis-'));
after(() => rmSync(home, { recursive: true, force: true }));
const genesis = (line: string): Command =>
  new Command(['genesis', 'new', ...line.split(' ')], home);

test('a chain begins by what was chosen, once', async () => {
  const line =
    '--data-dir chain --chain-id net-chosen --faucet off --delays days --minimum-funding 3NET --names work';
  const made = await genesis(`${line} --json`).ended;
  assert.equal(made.code, 0, made.stderr);
  const { genesisHash, chainId } = JSON.parse(made.stdout) as Record<string, string>;
  assert.equal(chainId, 'net-chosen');
  assert.match(made.stderr, /net-chosen has no random suffix.* counts here too; --unique/);
  const again = await genesis(line).ended;
  assert.equal(again.code, 2);
  assert.match(again.stderr, /the rules of a chain do not change/);

  const dev = ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'];
  const [node, { url }] = await startDev(dev, home);
  const network = (await (await fetch(`${url}/v1/network`)).json()) as { genesisHash: string };
  const { policy } = (await (await fetch(`${url}/v1/manifest`)).json()) as {
    policy: {
      faucet: { enabled: boolean };
      names: { price: string };
      work: { minimumFunding: number; disputeWindow: { milliseconds: number } };
    };
  };
  node.child.kill('SIGTERM');
  await node.ended;
  assert.match(node.stderr, /net-chosen has no random suffix/);
  assert.equal(network.genesisHash, genesisHash);
  assert.equal(policy.names.price, 'work');
  assert.equal(policy.faucet.enabled, false);
  assert.equal(policy.work.minimumFunding, 3_000_000);
  assert.equal(policy.work.disputeWindow.milliseconds, 86_400_000);
});

test('fails and makes nothing if there is no terminal for its questions', async () => {
  const refused = await genesis('--data-dir none --faucet on').ended;
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /add --faucet, --delays and --minimum-funding, or --yes/);
  assert.throws(() => readFileSync(join(home, 'none', 'genesis.json')), { code: 'ENOENT' });
  const made = await genesis('--data-dir none --yes').ended;
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /can begin\./);
});

test('a unique id gets a suffix without a warning, and a chain that has none cannot have it', async () => {
  const made = await genesis('--data-dir unique --chain-id net-chosen --unique --yes --json').ended;
  assert.deepEqual([made.code, made.stderr], [0, '']);
  const { chainId } = JSON.parse(made.stdout) as { chainId: string };
  assert.match(chainId, /^net-chosen-[a-z2-9]{8}$/);
  const dev = ['dev', '-p', '0', '-d', 'chain', '--chain-id', 'net-chosen', '--unique'];
  const refused = await new Command(dev, home).ended;
  assert.match(refused.stderr, /holds the chain net-chosen, not net-chosen with a random suffix/);
});
