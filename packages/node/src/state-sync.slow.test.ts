/**
 * A fifth node starts from the state of four validators, each with its own CometBFT, and a peer lies about
 * its state.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { cometbftPath, defaultEngineDir, requireCometbft } from '@netd/engine/cometbft-binary';
import { makeCheckpoint, sha256Hex, type StateCheckpoint } from '@netd/protocol';
import { registrationBytes } from '@netd/testkit/envelopes';
import { freePort } from '@netd/testkit/free-port';
import { tempDir } from '@netd/testkit/temp-dir';
import type { CometDir } from './comet-dir.ts';
import { serveComet, type RunningNode, type ServeCometOptions } from './serve.ts';
import { openTestnet } from './testnet.ts';
import { verifyDataDir } from './verify.ts';

const binary = cometbftPath(defaultEngineDir());
const AGENTS = 40;

type Running = RunningNode<CometDir>;

const open = (options: Partial<ServeCometOptions> & { dataDir: string; p2pAddress: string }) =>
  serveComet({
    host: '127.0.0.1',
    port: 0,
    binary,
    peers: [],
    blockTime: 20,
    emptyBlocks: 300,
    idleBlockTime: 10_000_000,
    onEngineEnd: (sentence) => console.error(sentence),
    ...options,
  });

/** Resolves when a node has a block of this height. */
async function reached({ node }: Running, height: number): Promise<void> {
  if (node.chain.height >= height) return;
  await new Promise<void>((resolve) => {
    const off = node.chain.onBlock((now) => {
      if (now < height) return;
      off();
      resolve();
    });
  });
}

function stateRoot({ node }: Running, height: number): string | undefined {
  const snapshot = node.store.snapshot();
  try {
    return snapshot.blockAt(height)?.header.stateRoot;
  } finally {
    snapshot.close();
  }
}

const register = (running: Running, name: string) =>
  running.node.admission.submit(
    'registration',
    registrationBytes(name, { chainId: running.node.chain.identity.chainId }),
    name,
  );

/** Replaces the checkpoint by one of another state, whose chunks and manifest match. */
function lie(checkpointsPath: string): void {
  const [name = ''] = readdirSync(checkpointsPath);
  const folder = join(checkpointsPath, name);
  const { checkpointHash: _, ...told } = JSON.parse(
    readFileSync(join(folder, 'manifest.json'), 'utf8'),
  ) as StateCheckpoint;
  const chunk = readFileSync(join(folder, 'chunk-0'));
  const at = chunk.indexOf('"balance":');
  chunk[at + 10] = chunk[at + 10] === 0x39 ? 0x38 : 0x39;
  const { chainId, height, stateRoot: root, blockHash, certificateHash, byteLength } = told;
  const lying = makeCheckpoint(
    { chainId, height, stateRoot: root, blockHash, certificateHash },
    byteLength,
    [sha256Hex(chunk), ...told.chunkHashes.slice(1)],
  );
  const other = join(checkpointsPath, lying.checkpointHash);
  renameSync(folder, other);
  writeFileSync(join(other, 'chunk-0'), chunk);
  writeFileSync(join(other, 'manifest.json'), JSON.stringify(lying));
}

async function isThere(t: TestContext): Promise<boolean> {
  try {
    await requireCometbft(binary);
    return true;
  } catch (error) {
    t.skip((error as Error).message);
    return false;
  }
}

test(
  'a fifth node begins with a state that the validators have certified, and goes on',
  { timeout: 600_000 },
  async (t) => {
    if (!(await isThere(t))) return;
    const directory = tempDir(t);
    const { testnet } = await openTestnet(join(directory, 'net'), 4, Date.now());
    const peers = testnet.validators.map(({ peer }) => peer);
    const running: Running[] = [];
    t.after(() => Promise.all(running.map((each) => each.stop())));
    running.push(
      ...(await Promise.all(
        testnet.validators.map(({ dataDir, p2pAddress }) => open({ dataDir, p2pAddress, peers })),
      )),
    );
    const [one, two] = running as [Running, Running];
    const names = Array.from({ length: AGENTS }, (_, index) => `agent-${index}`);
    await Promise.all(names.map((name, index) => register(running[index % 4] ?? one, name)));
    // Three of four offer the same state with a changed balance, and CometBFT tries the majority's first.
    const height = Math.max(...running.map(({ node }) => node.chain.height));
    await Promise.all(running.map((each) => reached(each, height)));
    await Promise.all(running.map(({ node }) => node.checkpoints.latest()));
    for (const { node } of running.slice(0, 3)) lie(node.dataDir.checkpointsPath);
    const fifth = {
      dataDir: join(directory, 'fifth'),
      genesisFile: join(testnet.validators[0]?.dataDir ?? '', 'genesis.json'),
      p2pAddress: `127.0.0.1:${await freePort()}`,
      peers,
      fullNode: true,
    };
    const begins: number[] = [];
    const banned: string[] = [];
    const startedAt = performance.now();
    const five = await open({
      ...fifth,
      stateSync: [one.url, two.url],
      onRestore: (progress) => {
        if (progress.phase === 'done') begins.push(progress.height);
      },
      onBan: (who, reason) => banned.push(`${who}: ${reason}`),
    });
    running.push(five);
    t.diagnostic(`it had a state after ${Math.round(performance.now() - startedAt)} ms`);
    t.diagnostic(`banned: ${banned.join(' | ')}`);
    const [from = 0] = begins.slice(-1);
    assert.ok(from > 0 && from === height, `from ${from}`);
    assert.equal(five.node.store.history().from > 0, from > 16);
    if (from > 16) {
      const advice = new RegExp(`--state-sync does without them: netd verify --url ${one.url} `);
      await assert.rejects(verifyDataDir(fifth.dataDir, {}), advice);
    }
    const { receipt } = await register(two, 'late');
    await reached(five, receipt.height);
    assert.equal(stateRoot(five, receipt.height), stateRoot(two, receipt.height));
    // The node accepts writes, too.
    const own = await register(five, 'through-the-fifth');
    await reached(one, own.receipt.height);
    assert.equal(existsSync(join(five.node.dataDir.path, 'restore')), false);
    // After a restart, the node continues with its chain.
    running.pop();
    await five.stop();
    begins.length = 0;
    const again = await open({ ...fifth, stateSync: [one.url], onRestore: () => assert.fail() });
    running.push(again);
    const next = await register(one, 'later');
    await reached(again, next.receipt.height);
    assert.equal(stateRoot(again, next.receipt.height), stateRoot(one, next.receipt.height));
    assert.deepEqual(again.node.faults(), []);
    const light = await fetch(`${again.url}/v1/consensus/engine-blocks/2`);
    assert.equal(light.status, 404, 'it has no block of the engine before its state');
    // Without a peer, CometBFT would search for a state forever.
    const alone = {
      dataDir: join(directory, 'alone'),
      p2pAddress: `127.0.0.1:${await freePort()}`,
    };
    await assert.rejects(
      open({ ...fifth, ...alone, peers: [], stateSync: [one.url], offerTimeout: 1_000 }),
      /no peer has offered a state for 1 s: name peers that run with --peers\./,
    );
  },
);
