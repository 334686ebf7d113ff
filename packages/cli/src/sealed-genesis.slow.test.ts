/**
 * Four machines start a genesis that a devnet sealed through gates, audits and votes. The network survives
 * the loss of one.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { beginSigningPlace, nodeId } from '@netd/engine/cometbft';
import { sealedGenesis, testKey } from '@netd/ledger/testing';
import { genesisHash } from '@netd/protocol';
import { AgentKey, VerifiedReader } from '@netd/sdk';
import { insist, StartedNodes, type NodePlace, type StartedNode } from './testing/started-nodes.ts';

test('a sealed genesis is a network of its four founders', async (t) => {
  const nodes = await StartedNodes.make(t, 1);
  if (!nodes) return;
  const genesis = sealedGenesis();
  assert.equal(genesis.validators.length, 4);
  const file = join(nodes.home, 'sealed.json');
  writeFileSync(file, JSON.stringify(genesis));
  const places: NodePlace[] = [];
  for (const { validatorId } of genesis.validators) {
    const place = await nodes.another(validatorId);
    places.push(place);
    const { publicKey, publicKeyHash, privateKeyPem } = testKey(`${validatorId} consensus`);
    mkdirSync(join(place.dataDir, 'keys'), { recursive: true });
    const key = {
      schema: 'NET-AGENT-KEY/1',
      chainId: genesis.chainId,
      actorId: validatorId,
      publicKey,
      publicKeyHash,
      privateKey: privateKeyPem,
    };
    const path = join(place.dataDir, 'keys', 'validator.json');
    writeFileSync(path, JSON.stringify(key), { mode: 0o600 });
    beginSigningPlace(join(place.dataDir, 'keys/signs-here.json'), join(place.dataDir, 'cometbft'));
  }
  const peers = places.map(
    ({ dataDir, p2pAddress }) => `${nodeId(join(dataDir, 'cometbft'))}@${p2pAddress}`,
  );
  const founders = await Promise.all(
    places.map((place) => nodes.start({ ...place, peers }, ['--genesis', file])),
  );
  const [one, two, three, four] = founders as [StartedNode, StartedNode, StartedNode, StartedNode];
  const hash = genesisHash(genesis);
  for (const { client } of founders) {
    const { chainId, epoch, mode, genesisHash: told } = await client.network();
    assert.deepEqual([chainId, epoch, mode, told], [genesis.chainId, 2, 'BFT_DEVNET', hash]);
  }
  const ada = { actorId: 'ada', key: await AgentKey.generate() };
  await insist(() => one.client.register(ada), 'AGENT_EXISTS');
  assert.equal((await nodes.stop(four)).code, 0);
  const ben = { actorId: 'ben', key: await AgentKey.generate() };
  await insist(() => two.client.register(ben), 'AGENT_EXISTS');
  const reader = new VerifiedReader(three.client, { genesisHash: hash });
  const { verdict, height } = await reader.readState('agent/ada');
  assert.equal(verdict, 'trusted');
  assert.ok(height >= 1);
});
