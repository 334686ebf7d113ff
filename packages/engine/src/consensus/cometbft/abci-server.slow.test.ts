/** The ABCI server with a real CometBFT. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once, EventEmitter } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { cometbftHeaderHash, cometbftValidatorsHash, makeValidatorSet } from '@netd/protocol';
import { testKey } from '@netd/protocol/testing';
import { tempDir } from '@netd/testkit/temp-dir';
import { AbciServer, type AbciApplication } from './abci-server.ts';
import { writeCometbftHome } from './cometbft-home.ts';
import { CometbftProcess } from './cometbft-process.ts';
import { CometbftRpc } from './cometbft-rpc.ts';
import { cometbftHere, freePorts } from './testing/cometbft-here.ts';

const key = testKey('validator');
const validatorSet = makeValidatorSet('net-test-1', 1, [
  {
    validatorId: 'validator-1',
    consensusPublicKey: key.publicKey,
    votingPower: 10,
    faultDomain: 'test',
  },
]);

/** Keeps all transactions in memory; its hash changes with each of them. */
class Journal extends EventEmitter<{ block: [height: bigint] }> implements AbciApplication {
  readonly calls: string[] = [];
  readonly kept: string[] = [];
  private pending: string[] = [];
  height = 0n;
  most = 0;
  private under = 0;

  private async turn<T>(name: string, answer: () => T): Promise<T> {
    this.calls.push(name);
    this.most = Math.max(this.most, ++this.under);
    await new Promise((resolve) => setImmediate(resolve));
    this.under--;
    return answer();
  }

  private hash(): Uint8Array {
    return createHash('sha256')
      .update([...this.kept, ...this.pending].join('\n'))
      .digest();
  }

  info = () => this.turn('info', () => ({ lastBlockHeight: 0n }));
  initChain = () => this.turn('initChain', () => ({ appHash: this.hash() }));
  checkTx = ({ tx }: { tx: Uint8Array }) =>
    this.turn('checkTx', () => ({ code: Buffer.from(tx).toString() === 'bad' ? 1 : 0 }));
  prepareProposal = ({ txs }: { txs: Uint8Array[] }) =>
    this.turn('prepareProposal', () => ({ txs }));
  processProposal = () => this.turn('processProposal', () => ({ status: 1 }));
  finalizeBlock = ({ txs, height }: { txs: Uint8Array[]; height: bigint }) =>
    this.turn('finalizeBlock', () => {
      const texts = txs.map((tx) => Buffer.from(tx).toString());
      if (texts.includes('throw')) throw new Error('this cannot be executed');
      this.pending = texts;
      this.height = height;
      return { txResults: texts.map(() => ({ code: 0 })), appHash: this.hash() };
    });
  commit = () =>
    this.turn('commit', () => {
      this.kept.push(...this.pending);
      this.pending = [];
      this.emit('block', this.height);
      return {};
    });
}

async function start(
  t: TestContext,
  binary: string,
  onQuery: (path: string) => Promise<string | null> = () => Promise.resolve(null),
) {
  const directory = tempDir(t);
  const journal = new Journal();
  const failures: string[] = [];
  let connections = 0;
  const [abciSocket, rpcSocket] = [join(directory, 'abci.sock'), join(directory, 'rpc.sock')];
  const [port = 0] = await freePorts(1);
  writeCometbftHome({
    path: directory,
    chainId: 'net-test-1',
    genesisTime: '2026-01-01T00:00:00.000Z',
    validatorSet,
    appState: {},
    signer: { privateKeyPem: key.privateKeyPem },
    abciSocket,
    rpcSocket,
    p2pAddress: `127.0.0.1:${port}`,
    peers: [],
    // An idle chain makes no block while a test runs.
    times: { commit: 1, emptyBlocks: 600_000 },
  });
  const server = await AbciServer.listen(abciSocket, journal, {
    onFailure: (error, request) => failures.push(`${request}: ${String(error)}`),
    onConnections: (count) => (connections = Math.max(connections, count)),
    onQuery,
  });
  t.after(() => server.close());
  const first = once(journal, 'block');
  const engine = CometbftProcess.start(binary, directory);
  t.after(() => engine.stop());
  await Promise.race([first, engine.ended.then(({ sentence }) => assert.fail(sentence))]);
  return {
    journal,
    engine,
    failures,
    rpc: new CometbftRpc(rpcSocket),
    port,
    connections: () => connections,
  };
}

test('CometBFT closes at once what the filter of peers refuses, although nobody shook hands', async (t) => {
  const binary = await cometbftHere(t);
  if (binary === null) return;
  const asked: string[] = [];
  let refusal: string | null = null;
  const { port, rpc } = await start(t, binary, (path) => {
    asked.push(path);
    return Promise.resolve(refusal);
  });
  const accepted = connect(port, '127.0.0.1');
  t.after(() => accepted.destroy());
  // CometBFT begins the handshake only with a connection that it keeps.
  await once(accepted, 'data');
  refusal = 'too many';
  const refused = connect(port, '127.0.0.1').on('error', () => {});
  let bytes = 0;
  refused.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(refused, 'close');
  assert.equal(bytes, 0);
  assert.deepEqual(
    asked.map((path) => path.replace(/\d+$/, '')),
    ['/p2p/filter/addr/127.0.0.1:', '/p2p/filter/addr/127.0.0.1:'],
  );
  assert.deepEqual(await rpc.peers(), []);
});

test('CometBFT orders what it is handed, and comes to rest', { timeout: 600_000 }, async (t) => {
  const binary = await cometbftHere(t);
  if (binary === null) return;
  const { journal, rpc, connections, failures } = await start(t, binary);
  assert.equal((await rpc.broadcast(Buffer.from('bad'))).code, 1);
  const more = once(journal, 'block');
  for (const text of ['one', 'two', 'three']) {
    assert.equal((await rpc.broadcast(Buffer.from(text))).code, 0);
  }
  await more;
  while (journal.kept.length < 3) await once(journal, 'block');
  assert.deepEqual(journal.kept, ['one', 'two', 'three']);
  assert.equal(connections(), 4);
  assert.equal(journal.most, 1, 'one gate around all connections');
  assert.deepEqual(failures, []);
  while (!(await stated(rpc, journal))) await once(journal, 'block');
});

/**
 * Returns true once the newest header has the app hash of the kept transactions.
 * Also checks its validators and the hash of the header before it.
 */
async function stated(rpc: CometbftRpc, journal: Journal): Promise<boolean> {
  const height = await rpc.height();
  const { commit, signatures } = await rpc.signedHeader(height);
  const next = commit.header;
  assert.equal(next.validatorsHash, cometbftValidatorsHash(validatorSet.validators));
  assert.equal(signatures.length, 1);
  const before = await rpc.signedHeader(height - 1);
  assert.equal(next.lastBlockId.hash, cometbftHeaderHash(before.commit.header));
  const now = createHash('sha256').update(journal.kept.join('\n')).digest('hex');
  return next.appHash === now;
}

test('a request that fails ends CometBFT, which says why', { timeout: 600_000 }, async (t) => {
  const binary = await cometbftHere(t);
  if (binary === null) return;
  const { rpc, engine, failures } = await start(t, binary);
  await rpc.broadcast(Buffer.from('throw'));
  const { wanted, sentence } = await engine.ended;
  assert.ok(!wanted);
  assert.match(sentence, /CometBFT ended/);
  assert.match(failures.join(), /finalizeBlock: Error: this cannot be executed/);
});
