import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Agent, type SessionFile } from '@netd/sdk';
import { Signer } from './signer.ts';

const FIRST = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);

test('the first genesis of a session is its anchor, and another is refused', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-signer-'));
  t.after(() => rmSync(home, { recursive: true }));
  let genesisHash = FIRST;
  const server = createServer((_, response) => {
    const network = {
      schema: 'NET-NETWORK-STATUS/1',
      chainId: 'netd-test',
      height: 5,
      genesisHash,
    };
    response.end(JSON.stringify(network));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const anchors: unknown[] = [];
  t.mock.method(Agent, 'openSession', async (_: unknown, options: { genesisHash?: string }) => {
    anchors.push(options.genesisHash);
    throw new Error('opened');
  });
  const session = { chainId: 'netd-test', actorId: 'ada', sessionId: 's-1' } as SessionFile;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = join(home, 'keys');
  const signer = new Signer({ session, url, askAbove: 0, keys, note: () => {} });
  const run = (): Promise<void> => signer.run(async () => {});
  await assert.rejects(run(), /opened/);
  assert.deepEqual(anchors, [FIRST]);
  // The agent writes its state there.
  const state = join(home, 'agents', 'netd-test', 'ada.s-1');
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'genesis.json'), JSON.stringify({ genesisHash: FIRST }));
  genesisHash = OTHER;
  await assert.rejects(run(), { code: 'CHAIN_REPLACED' });
  assert.deepEqual(anchors, [FIRST]);
  writeFileSync(join(state, 'genesis.json'), '{');
  await assert.rejects(run(), { code: 'STATE_INVALID' });
});
