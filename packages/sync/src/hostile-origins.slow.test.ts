/** Origins that send answers of no honest node, copy each other, or never stop sending. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { after, before, describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { plays, until } from '@netd/protocol/testing';
import { hasReached, startFollower, type RunningFollower } from '@netd/testkit/start-follower';
import { HttpNode } from '@netd/testkit/http-node';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { tempDir } from '@netd/testkit/temp-dir';

const CHILD = fileURLToPath(import.meta.resolve('@netd/testkit/follower-child'));
const SMALL_HEAP_MEBIBYTES = 256;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

async function serverOf(t: TestContext, handle: Handle): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const follow = (
  t: TestContext,
  origins: string[],
  banned: string[] = [],
): Promise<RunningFollower> =>
  startFollower(t, origins, {
    originTimeout: 600_000,
    onBan: (url, reason) => banned.push(`${url} ${reason}`),
  });

describe('beside an honest writer', () => {
  let writer: HttpNode;
  before(async () => {
    writer = await HttpNode.start();
    for (const name of ['alice', 'bob', 'carol']) await writer.join(name);
  });
  after(() => writer.stop());

  const ahead = (document: unknown): object => ({
    ...(document as object),
    height: 1_000_000,
    blockHash: 'ab'.repeat(32),
  });
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
  type Block = Record<string, unknown>;
  const blocks: [string, (block: Block) => Block][] = [
    [
      'an envelope that nests without end',
      (block) => ({ ...block, transitions: [{ index: 0, envelope: 'DEEP' }] }),
    ],
    [
      'an envelope with half a character',
      (block) => ({ ...block, transitions: [{ index: 0, envelope: { text: '\ud800' } }] }),
    ],
    [
      'an event with half a character',
      (block) => ({ ...block, events: [{ id: '1.0', type: '\ud800' }] }),
    ],
    ['a header without members', (block) => ({ ...block, header: {} })],
    [
      'a header with half a character',
      (block) => ({ ...block, header: { ...(block['header'] as object), chainId: '\udfff' } }),
    ],
    ['a certificate that is a list', (block) => ({ ...block, certificate: [] })],
    [
      'a block with a megabyte of unknown fields',
      (block) => ({ ...block, more: 'x'.repeat(1_000_000) }),
    ],
    ['transitions of null', (block) => ({ ...block, transitions: [null] })],
  ];
  /** Values that compress well but are huge once unpacked, in place of an array of the document. */
  const bombs: [string, string, string, number, RegExp][] = [
    ['votes', '/v1/blocks/', 'votes', 3_900_000, /not of the shape it should have/],
    [
      'hashes of chunks',
      '/v1/state/checkpoint',
      'chunkHashes',
      16_000_000,
      /not of the shape it should have/,
    ],
  ];
  /** Forwards the writer, except for one array of millions, and counts the bytes sent. */
  const bomberOf = async (
    t: TestContext,
    [, path, member, count]: (typeof bombs)[number],
    onSent: (byteLength: number) => void,
  ): Promise<string> =>
    serverOf(t, (request, response) => {
      void (async () => {
        const asked = request.url ?? '';
        let text = JSON.stringify(await writer.document(asked.replace(/\?.*/, '')));
        const isBomb = asked.startsWith(path) && asked !== '/v1/blocks/0';
        if (!isBomb) return response.end(text);
        const ones = `[1${',1'.repeat(count)}]`;
        text = text.replace(new RegExp(`"${member}":\\[[^\\]]*\\]`), `"${member}":${ones}`);
        assert.ok(text.length > ones.length);
        const packed = brotliCompressSync(text, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
        });
        onSent(packed.length);
        response.setHeader('content-encoding', 'br');
        return response.end(packed);
      })().catch(() => response.destroy());
    });
  for (const bomb of plays(bombs.slice(1), bombs)) {
    const [what, path, , , fault] = bomb;
    test(`${what} by the million in a few hundred bytes end the origin, not the follower`, async (t) => {
      let sent = 0;
      const bomber = await bomberOf(t, bomb, (byteLength) => (sent = byteLength));
      const banned: string[] = [];
      const honest = await lateHonest(t, () => banned.length > 0);
      const follower = await startFollower(t, [bomber, honest], {
        originTimeout: 600_000,
        onBan: (url, reason) => banned.push(`${url} ${reason}`),
        ...(path.includes('checkpoint') ? { from: 'checkpoint' } : {}),
      });
      await hasReached(follower, writer.height);
      assert.ok(sent < 4_000, String(sent));
      assert.match(banned.join(), fault);
    });
  }

  test('a follower with a small heap outlives them', async (t) => {
    const [bomb] = bombs;
    assert.ok(bomb);
    let isSent = false;
    const bomber = await bomberOf(t, bomb, () => (isSent = true));
    const honest = await lateHonest(t, () => isSent);
    const args = [
      `--max-old-space-size=${SMALL_HEAP_MEBIBYTES}`,
      CHILD,
      tempDir(t),
      bomber,
      honest,
    ];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (line === `at ${writer.height}`) break;
    }
    assert.equal(lines.at(-1), `at ${writer.height}`, 'its process did not end before');
    assert.ok(isSent);
  });

  /** Answers only after the other origin was used. */
  const lateHonest = async (t: TestContext, isTime: () => boolean): Promise<string> => {
    const late = await TamperingProxy.before(writer.url);
    t.after(() => late.close());
    late.tamper = (_path, document) => (isTime() ? document : null);
    return late.url;
  };
  const few = blocks.filter(([name]) => /nests|header without|list/.test(name));
  for (const [name, lie] of plays(few, blocks)) {
    test(`${name} ends the origin, not the follower`, { timeout: 600_000 }, async (t) => {
      const liar = await TamperingProxy.before(writer.url);
      t.after(() => liar.close());
      liar.tamper = (path, document) => {
        if (path === '/v1/network') return ahead(document);
        if (!path.startsWith('/v1/blocks/') || path === '/v1/blocks/0') return document;
        return JSON.stringify(lie(document)).replace('"DEEP"', deep);
      };
      const banned: string[] = [];
      const honest = await lateHonest(t, () => banned.length > 0);
      const follower = await follow(t, [liar.url, honest], banned);
      await hasReached(follower, writer.height);
      assert.equal(banned.length, 1, banned.join('\n'));
      assert.ok(banned[0]?.startsWith(liar.url));
    });
  }

  test(
    'an origin that claims to be far ahead and answers slowly does not hold the follower up',
    { timeout: 600_000 },
    async (t) => {
      const blockOnly = new Set<ServerResponse>();
      const slow = await serverOf(t, (request, response) => {
        void (async () => {
          const path = request.url ?? '';
          if (path.startsWith('/v1/blocks/') && path !== '/v1/blocks/0') {
            // Not answered before the test ends.
            blockOnly.add(response);
            return;
          }
          const document = (await (await fetch(writer.url + path)).json()) as object;
          const told = path === '/v1/network' ? ahead(document) : document;
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(told));
        })().catch(() => response.destroy());
      });
      const honest = await lateHonest(t, () => blockOnly.size > 0);
      const follower = await follow(t, [slow, honest]);
      await hasReached(follower, writer.height);
    },
  );

  test('a true block of another height is no fork', { timeout: 600_000 }, async (t) => {
    const liar = await TamperingProxy.before(writer.url);
    t.after(() => liar.close());
    const { height } = writer;
    const earlier = (await writer.document(`/v1/blocks/${height - 1}`)) as object;
    let lies = false;
    liar.tamper = (path, document) => {
      if (!lies) return null;
      if (path === '/v1/network') return { ...ahead(document), height };
      // The events have ids of the requested height, which has none.
      return path === `/v1/blocks/${height}` ? { ...earlier, events: [] } : document;
    };
    const banned: string[] = [];
    const forks: unknown[] = [];
    const follower = await startFollower(t, [writer.url, liar.url], {
      onBan: (url, reason) => banned.push(`${url} ${reason}`),
      onFork: (evidence) => forks.push(evidence),
    });
    await hasReached(follower, height);
    lies = true;
    await until(() => banned.length + forks.length > 0);
    assert.deepEqual(forks, []);
    const reason = `it answers block ${height - 1} where ${height} is asked for`;
    assert.deepEqual(banned, [`${liar.url} ${reason}`]);
  });

  const heads: [string, object][] = [
    ['a height with a megabyte of unknown fields', { more: 'x'.repeat(1_000_000) }],
    ['a block hash that is a book', { height: 1, blockHash: 'x'.repeat(100_000) }],
  ];
  for (const [name, told] of plays(heads.slice(0, 1), heads)) {
    test(`${name} ends the origin, in a sentence`, { timeout: 600_000 }, async (t) => {
      const liar = await TamperingProxy.before(writer.url);
      t.after(() => liar.close());
      liar.tamper = (path, document) =>
        path === '/v1/network' ? { ...document, ...told } : document;
      const banned: string[] = [];
      const follower = await follow(t, [writer.url, liar.url], banned);
      await hasReached(follower, writer.height);
      await until(() => banned.length > 0);
      assert.ok(banned[0]?.startsWith(liar.url));
      assert.ok(follower.node.faults().join().length < 1_000);
    });
  }

  test('who answers and is no node is named with what it does instead', async (t) => {
    let isNode = false;
    const open = new Set<Socket>();
    const server = createTcpServer((socket) => {
      open.add(socket.on('error', () => {}));
      if (!isNode) socket.end('SSH-2.0-OpenSSH_9.7\r\n');
      else socket.pipe(connect(writer.port, '127.0.0.1').on('error', () => {})).pipe(socket);
    }).listen(0, '127.0.0.1');
    const hangUp = (): void => open.forEach((socket) => socket.destroy());
    t.after(() => {
      server.close();
      hangUp();
    });
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await assert.rejects(follow(t, [url]), {
      code: 'NODE_UNREACHABLE',
      message: /no origin answers with a genesis .*no node answers at http:\S+: Parse Error/,
    });
    isNode = true;
    const follower = await follow(t, [url]);
    await hasReached(follower, writer.height);
    isNode = false;
    hangUp();
    await until(() => follower.node.faults().length > 0);
    assert.match(follower.node.faults().join(), /no origin answers: .*no node answers at http:\S+/);
    await until(() => follower.node.faults().join().includes('Parse Error'));
  });

  test('what an origin points to elsewhere is not asked', async (t) => {
    let asked = 0;
    let pointed = 0;
    const elsewhere = await serverOf(t, (_request, response) => {
      asked += 1;
      response.end('{}');
    });
    const pointer = await serverOf(t, (request, response) => {
      pointed += 1;
      response.writeHead(307, { location: elsewhere + (request.url ?? '') }).end();
    });
    const follower = await follow(t, [pointer, writer.url]);
    await until(() => pointed > 1);
    await hasReached(follower, writer.height);
    assert.equal(asked, 0);
  });

  test('an origin that talks as fast as it can is hung up on', { timeout: 600_000 }, async (t) => {
    const hungUp = Promise.withResolvers<unknown>();
    const talker = await serverOf(t, (request, response) => {
      const path = request.url ?? '';
      if (path.startsWith('/v1/events')) {
        const part = Buffer.alloc(262_144, ':');
        const talk = (): void => {
          while (response.writable && response.write(part));
        };
        response.on('drain', talk);
        response.on('close', () => hungUp.resolve(request.headers['accept-encoding']));
        talk();
        return;
      }
      void writer
        .document(path)
        .then((document) => response.end(JSON.stringify(document)))
        .catch(() => response.destroy());
    });
    await follow(t, [talker]);
    assert.equal(await hungUp.promise, 'identity', 'nothing is to be unpacked');
  });

  test('a follower that is up to date asks now and then, however many origins it has and however much they talk', async (t) => {
    let asked = 0;
    let told = 0;
    const talker = async (talks: boolean): Promise<string> =>
      serverOf(t, (request, response) => {
        void (async () => {
          const path = request.url ?? '';
          if (path.startsWith('/v1/events')) {
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            const timer = setInterval(() => {
              if (!talks) return;
              told += 1;
              response.write(': news\n\n');
            }, 1);
            response.on('close', () => clearInterval(timer));
            return;
          }
          if (path === '/v1/network') asked += 1;
          const answer = await fetch(writer.url + path);
          response.setHeader('content-type', 'application/json');
          response.end(await answer.text());
        })().catch(() => response.destroy());
      });
    const origins = await Promise.all([talker(true), talker(false), talker(false)]);
    const follower = await follow(t, origins);
    await hasReached(follower, writer.height);
    asked = 0;
    const [heard, began] = [told, performance.now()];
    await until(() => told >= heard + 400);
    // At most one call for each piece of news, a tenth of a second apart.
    const most = 3 * ((performance.now() - began) / 100 + 3);
    assert.ok(asked <= most, `${asked} questions, at most ${most}`);
  });
});
