import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Agent } from './agent.ts';
import { memoryHome } from './leased-home.ts';

test("opening another's name writes no key", async (t) => {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    const isNetwork = url.startsWith('/v1/network');
    const document = isNetwork
      ? {
          schema: 'NET-NETWORK-STATUS/1',
          chainId: 'netd-test',
          height: 5,
          genesisHash: '0'.repeat(64),
        }
      : { schema: 'NET-AGENT/1', agent: { agentId: 'house-echo' } };
    response.end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const written: string[] = [];
  const home = { ...memoryHome(), writeSecret: async (name: string) => void written.push(name) };
  await assert.rejects(Agent.open('house-echo', { url, home, log: false }), {
    code: 'AGENT_ID_TAKEN',
  });
  assert.deepEqual(written, []);
});
