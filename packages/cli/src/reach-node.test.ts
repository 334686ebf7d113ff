import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetClient } from '@netd/sdk';
import { reachNode } from './reach-node.ts';

test('a node whose chain id would name a folder outside of the keys is none', async (t) => {
  for (const chainId of ['../../trav', '..', '/etc', '', undefined]) {
    const client = new NetClient({ url: 'http://127.0.0.1:1' });
    t.mock.method(client, 'network', async () => ({ chainId }));
    await assert.rejects(reachNode(client), { code: 'NOT_A_NODE' });
  }
});
