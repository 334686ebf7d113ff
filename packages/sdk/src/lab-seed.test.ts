/** The key of a laboratory is known as one, in a browser too: nothing of Node is asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentKey } from './agent-key.ts';
import { isLabKey } from './lab-seed.ts';
import { labKey } from './test/lab-key.ts';

test('the key that a name has in each laboratory is known by its hash', async () => {
  assert.equal(await isLabKey('ada', labKey('ada').publicKeyHash), true);
});

test('another key is none: of another name, another seed, or by chance', async () => {
  const { publicKeyHash } = await AgentKey.generate();
  const others = [labKey('bob').publicKeyHash, labKey('ada', 'my own seed').publicKeyHash];
  for (const hash of [...others, publicKeyHash]) assert.equal(await isLabKey('ada', hash), false);
});
