/** The ABCI server with a script in place of CometBFT, which sends anything on any number of connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { tempDir } from '@netd/testkit/temp-dir';
import { AbciServer, type AbciApplication } from './abci-server.ts';
import { frameHead, FrameReader } from './frames.ts';
import { RequestSchema, ResponseSchema, type Response } from './wire/abci_pb.js';

type Ask = MessageInitShape<typeof RequestSchema>['value'];

const framed = (bytes: Uint8Array): Buffer => Buffer.concat([frameHead(bytes.length), bytes]);
const ask = (value: Ask): Buffer =>
  framed(toBinary(RequestSchema, create(RequestSchema, { value: value! })));
const check = (text: string): Buffer =>
  ask({ case: 'checkTx', value: { tx: Buffer.from(text), type: 0 } });
const textOf = (tx: Uint8Array): string => Buffer.from(tx).toString();

/** Records its requests. Each answer takes some turns of the event loop, fewer for later requests. */
class Slow implements AbciApplication {
  readonly calls: string[] = [];
  readonly ahead: string[][] = [];
  most = 0;
  private under = 0;
  private turns = 40;

  private async note<Answer>(name: string, answer: Answer): Promise<Answer> {
    this.calls.push(name);
    this.most = Math.max(this.most, ++this.under);
    for (let left = this.turns--; left > 0; left--) await turn();
    this.under--;
    return answer;
  }

  info = () => this.note('info', { data: 'here' });
  initChain = () => this.note('initChain', {});
  checkTx = ({ tx }: { tx: Uint8Array }) => {
    if (textOf(tx) === 'fails') throw new Error('this one fails');
    return this.note(`checkTx ${textOf(tx)}`, { log: textOf(tx) });
  };
  prepareProposal = () => this.note('prepareProposal', {});
  processProposal = () => this.note('processProposal', {});
  finalizeBlock = () => this.note('finalizeBlock', {});
  commit = () => this.note('commit', {});
  readAhead = (txs: readonly Uint8Array[]): Promise<void> => {
    this.ahead.push(txs.map(textOf));
    return Promise.reject(new Error('nothing could be done ahead'));
  };
}

/** One connection, and its answers in order. */
class Wire {
  readonly answers: Response['value'][] = [];
  private readonly socket: Socket;

  private constructor(socket: Socket) {
    this.socket = socket;
    const reader = new FrameReader();
    socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) {
        this.answers.push(fromBinary(ResponseSchema, frame).value);
      }
    });
  }

  static async to(t: TestContext, path: string): Promise<Wire> {
    const socket = connect(path);
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    return new Wire(socket);
  }

  send(...frames: Buffer[]): void {
    this.socket.write(Buffer.concat(frames));
  }

  async answered(count: number): Promise<string[]> {
    while (this.answers.length < count) await once(this.socket, 'data');
    return this.answers.map((value) => {
      switch (value.case) {
        case 'checkTx':
          return value.value.log;
        case 'exception':
          return value.value.error;
        default:
          return value.case ?? '';
      }
    });
  }
}

async function served(t: TestContext) {
  const application = new Slow();
  const failures: string[] = [];
  const path = join(tempDir(t), 'abci');
  const server = await AbciServer.listen(path, application, {
    onFailure: (error, request) => failures.push(`${request}: ${(error as Error).message}`),
  });
  t.after(() => server.close());
  return { application, failures, connected: () => Wire.to(t, path) };
}

test('answers keep the order of requests on each connection, and one request is handled at a time', async (t) => {
  const { application, failures, connected } = await served(t);
  const wires = await Promise.all([connected(), connected(), connected(), connected()]);
  const flush = ask({ case: 'flush', value: {} });
  for (const [index, wire] of wires.entries()) {
    wire.send(check(`${index} a`), ask({ case: 'commit', value: {} }), flush);
    // More requests arrive before the first is answered.
    wire.send(check(`${index} b`), flush);
  }
  for (const [index, wire] of wires.entries()) {
    const expected = [`${index} a`, 'commit', 'flush', `${index} b`, 'flush'];
    assert.deepEqual(await wire.answered(5), expected);
  }
  assert.equal(application.most, 1);
  assert.deepEqual(failures, []);
});

test('what came together to be checked is read ahead together, whatever becomes of that', async (t) => {
  const { application, failures, connected } = await served(t);
  const wire = await connected();
  wire.send(check('one'), check('two'), check('three'), ask({ case: 'flush', value: {} }));
  assert.deepEqual(await wire.answered(4), ['one', 'two', 'three', 'flush']);
  assert.deepEqual(application.ahead, [['one', 'two', 'three']]);
  assert.deepEqual(failures, []);
});

test('what cannot be answered is an exception in its place', async (t) => {
  const { failures, connected } = await served(t);
  const wire = await connected();
  wire.send(check('one'), framed(Buffer.from([0xff])), check('fails'), check('two'));
  const [one, broken, fails, two] = await wire.answered(4);
  assert.deepEqual([one, fails, two], ['one', 'this one fails', 'two']);
  assert.match(broken ?? '', /./);
  assert.match(failures.join('\n'), /^request: .+\ncheckTx: this one fails$/);
});
