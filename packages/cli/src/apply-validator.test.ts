/** Applying as validator on chains whose genesis fixes the validators. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ensureKeyFile } from '@netd/node/keys';
import { AgentKey, NetClient } from '@netd/sdk';
import { startLiar } from '@netd/sdk/test';
import { HttpNode } from '@netd/testkit/http-node';
import { done, runHere } from './testing/run-here.ts';

const node = await HttpNode.start();
after(() => node.stop());
/** A node with four fixed validators, which accepts the application. */
const ofMany = await startLiar({
  url: node.url,
  lies: [
    {
      path: '/v1/genesis',
      say: (genesis) => ({ ...genesis, validators: [1, 2, 3, 4] }),
    },
  ],
});
after(() => ofMany.stop());

const { operatorKeyPath } = node.running.node.dataDir;
const operatorFile = ensureKeyFile(operatorKeyPath, node.chainId, 'operator');
const keyPath = join(node.dataDir, 'vera.json');
const key = ensureKeyFile(keyPath, node.chainId, 'vera');
const consensusPath = join(node.dataDir, 'vera-consensus.json');
ensureKeyFile(consensusPath, node.chainId, 'vera');
const client = new NetClient({ url: node.url });
await client.register({ actorId: 'vera', key: await AgentKey.fromPem(key) });
const operator = { actorId: 'operator', key: await AgentKey.fromPem(operatorFile) };
await client.act(operator, 'transfer', { to: 'vera', amount: '2000 NET' });

const apply = (url: string): string[] =>
  'apply validator selfBond=1000NET faultDomain=home --id app-1'
    .split(' ')
    .concat('--key', keyPath, '--consensus-key', consensusPath, '--url', url);
const approve = (url: string): string[] => [
  'approve',
  'app-1',
  '--key',
  operatorKeyPath,
  '--url',
  url,
];
const CANDIDATE = /[Cc]andidate.*will not validate here/s;

describe('a role that never validates', () => {
  const steps: [name: string, command: typeof apply, status: string][] = [
    ['an application', apply, 'nothing'],
    ['an approval', approve, 'PENDING'],
    ['a claim', apply, 'APPROVED'],
  ];
  for (const [name, command, status] of steps) {
    it(`refuses ${name} if genesis fixed several validators, and names a candidate on a solo chain`, async () => {
      const { height } = node;
      const refused = await runHere(command(ofMany.url));
      assert.equal(refused.code, 1, refused.stdout);
      assert.match(refused.stderr, /Genesis fixed the validators of this chain/);
      assert.equal(node.height, height);
      const { applications } = await client.read('/v1/operator-applications', {});
      assert.equal(applications[0]?.status ?? 'nothing', status);
      assert.match(await done(command(node.url)), CANDIDATE);
    });
  }
});
