/** Floods of large reads are limited and refused, and small reads and writes still work. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { assertProblem, HttpNode, type Answer } from '@netd/testkit/http-node';

const AGENTS = 12;
const CLIENTS = 64;

describe('a node with little room for large reads', () => {
  let node: HttpNode;
  before(async () => {
    // No read counts as light here.
    node = await HttpNode.start({ limits: { lightRead: 0, waitingReads: 8 } });
    for (let index = 0; index < AGENTS; index++) await node.join(`agent-${index}`);
  });
  after(() => node.stop());

  const waitingReads = async (): Promise<number> => {
    const { text } = await node.get('/metrics');
    return Number(/^netd_waiting_reads (\d+)$/m.exec(text)?.[1]);
  };
  const refusals = async (code: string): Promise<number> => {
    const { text } = await node.get('/metrics');
    return Number(
      new RegExp(`^netd_refusals_total\\{code="${code}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
    );
  };

  test('answers each of many clients, with the page or with OVERLOADED and when to come back', async () => {
    const floods = Array.from({ length: CLIENTS }, async (_, client) => {
      const answers: Answer[] = [];
      for (let page = 0; page < 4; page++) {
        answers.push(await node.get(`/v1/agents?limit=${1 + client * 4 + page}`));
      }
      return answers;
    });
    const bounds: number[] = [];
    const others = (async () => {
      for (let round = 0; round < 4; round++) {
        assert.equal((await node.get('/livez')).status, 200);
        await node.join(`amid-${round}`);
        bounds.push(await waitingReads());
      }
    })();
    const answers = (await Promise.all(floods)).flat();
    await others;
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.length > 0 && refused.length < answers.length, String(refused.length));
    for (const answer of refused) {
      assertProblem(answer, 503, 'OVERLOADED');
      assert.ok(Number(answer.headers['retry-after']) >= 1);
    }
    assert.ok(
      bounds.every((waiting) => waiting <= 8),
      bounds.join(),
    );
    assert.equal(await waitingReads(), 0);
  });

  test('forgets the reads of those who hang up, and answers who stays', async () => {
    const before500 = await refusals('INTERNAL_ERROR');
    for (let round = 0; round < 4; round++) {
      const clients = Array.from({ length: 16 }, (_, index) => {
        const socket = connect(node.port, '127.0.0.1');
        socket.on('error', () => {});
        socket.write(
          `GET /v1/discovery?limit=${1 + round * 16 + index} HTTP/1.1\r\nHost: x\r\n\r\n`,
        );
        return socket;
      });
      const stays = node.get(`/v1/agent-directory?limit=${round + 1}`);
      await new Promise((resolve) => setTimeout(resolve, 5 * round));
      for (const socket of clients) socket.destroy();
      assert.ok([200, 503].includes((await stays).status));
    }
    while ((await waitingReads()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal((await node.get('/v1/agent-directory?limit=100')).status, 200);
    assert.equal(await refusals('INTERNAL_ERROR'), before500);
  });
});

test('refuses an invalid cursor at once, even if the list is too large for this thread', async (t) => {
  // A read in a reader thread would be refused.
  const node = await HttpNode.start({ limits: { lightRead: 2_000, waitingReads: 0 } });
  t.after(() => node.stop());
  for (let index = 0; index < AGENTS; index++) await node.join(`agent-${index}`);
  const lists = ['/v1/agents', '/v1/agent-directory', '/v1/agent-opportunities', '/v1/work-orders'];
  for (const list of lists) {
    await node.get(`${list}?limit=1000`);
    const cursors = ['x', 'AAAA', Buffer.from('1.0123456789abcdef.7').toString('base64url')];
    const answers = await Promise.all(
      cursors.map((cursor) => node.get(`${list}?limit=1000&cursor=${cursor}`)),
    );
    for (const answer of answers) assertProblem(answer, 400, 'CURSOR_INVALID');
  }
});
