import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SoloSigner, statementOf } from '../chain/signer.ts';
import { BlockExecutor } from '../executor/block-executor.ts';
import { HttpNode } from '../testing/http-node.ts';

test('whoever has seen a block that the node has not heard of yet sees none before it', async (t) => {
  const http = await HttpNode.start();
  t.after(() => http.stop());
  await http.join('alice');
  const { node } = http.running;
  const heightOf = async (path: string): Promise<unknown> => {
    const { body } = await http.get(path);
    return body['height'];
  };
  const { chain, store } = node;
  const { height } = chain;
  assert.equal(await heightOf('/v1/agents'), height);
  assert.equal(await heightOf('/v1/agents?limit=1000'), height);

  // As the thread that makes blocks does, before its message is here.
  const executor = BlockExecutor.load(chain.identity, store, chain.head);
  const { hash, write } = executor.seal(executor.open(chain.head, Date.now()));
  const { actorId, privateKey } = node.dataDir.validator;
  const signer = new SoloSigner(actorId, privateKey);
  const certificate = signer.certify(statementOf(write.header, hash), chain.identity.validatorSet);
  await store.commitBlock({ ...write, certificate });
  assert.equal(chain.height, height);

  assert.equal(await heightOf('/v1/agents?limit=7'), height + 1);
  assert.equal(await heightOf('/v1/agents'), height + 1);
  assert.equal(await heightOf('/v1/agents?limit=1000'), height + 1);
});
