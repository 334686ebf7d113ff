/** Writes through a follower: the same bytes are forwarded once, or the answer says what is unknown. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { startFollower } from '@netd/testkit/start-follower';
import { startFork } from '@netd/testkit/forked-chain';
import { HttpNode } from '@netd/testkit/http-node';
import { WriteProxy } from '@netd/testkit/write-proxy';

const follow: typeof startFollower = (t, origins, options) =>
  startFollower(t, origins, { forwardWrites: true, ...options });

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  code: string;
}

async function post(
  { url }: { url: string },
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  const { code = '' } = (text.startsWith('{') ? JSON.parse(text) : {}) as { code?: string };
  return { status: response.status, headers: response.headers, text, code };
}

const REGISTER = '/v1/agents/register';

describe('before a writer', () => {
  let writer: HttpNode;
  let proxy: WriteProxy;
  before(async () => {
    writer = await HttpNode.start();
    await writer.join('alice');
    proxy = await WriteProxy.before(writer.url);
  });
  after(async () => {
    proxy.close();
    await writer.stop();
  });
  beforeEach(() => {
    proxy.intercept = () => false;
    proxy.writes.length = 0;
  });

  /** Indented oddly, so that a follower that reserializes the body is caught. */
  const registration = (name: string): string => JSON.stringify(writer.registration(name), null, 3);

  const registrations = (name: string): number => {
    const snapshot = writer.running.node.store.snapshot();
    const events = snapshot.eventsAfter(0, 100, `agent:${name}`);
    snapshot.close();
    return events.filter(({ type }) => type === 'AgentRegistered').length;
  };

  test('bytes, status and answer are those of the origin, and what was written can be read here at once', async (t) => {
    const follower = await follow(t, [proxy.url]);
    for (const name of ['ann', 'bea', 'cid']) {
      const body = registration(name);
      const answer = await post(follower, REGISTER, body, {
        'x-forwarded-for': '203.0.113.7',
        forwarded: 'for=203.0.113.7',
        authorization: 'Bearer secret',
        cookie: 'a=b',
      });
      const [write] = proxy.writes.splice(0);
      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual([write?.path, write?.body.toString()], [REGISTER, body]);
      assert.equal(answer.text, write?.answer?.toString());
      assert.equal(answer.headers.get('location'), `/v1/agents/${name}`);
      const passedOn = Object.keys(write?.headers ?? {});
      for (const secret of ['x-forwarded-for', 'forwarded', 'authorization', 'cookie', 'referer']) {
        assert.ok(!passedOn.includes(secret), secret);
      }
      assert.equal((await fetch(`${follower.url}/v1/agents/${name}`)).status, 200);
    }
    // Refusals are forwarded too: of rules, of envelopes, and a duplicate with its receipt.
    for (const [path, body] of [
      [REGISTER, registration('ann')],
      [REGISTER, '{"actorId":'],
      ['/v1/intents', JSON.stringify(writer.intent('nobody', 'withdrawBeacon', {}))],
      ['/v1/work-orders', '{}'],
      ['/v1/memory/checkpoints', '[]'],
    ] as const) {
      const answer = await post(follower, path, body);
      const [write] = proxy.writes.splice(0);
      assert.ok(answer.status >= 400 && answer.status < 500, path);
      assert.equal(answer.text, write?.answer?.toString());
      const { requestId } = JSON.parse(answer.text) as { requestId: string };
      assert.equal(answer.headers.get('x-request-id'), requestId);
    }
    // The follower forwards neither simulations nor bodies that every node refuses.
    const simulated = await post(follower, '/v1/intents:simulate', registration('dan'));
    assert.equal(simulated.code, 'ENVELOPE_INVALID');
    const large = await post(follower, REGISTER, `"${'x'.repeat(70_000)}"`);
    assert.equal(large.code, 'BODY_TOO_LARGE');
    const text = await post(follower, REGISTER, 'a', { 'content-type': 'text/plain' });
    assert.equal(text.code, 'CONTENT_TYPE_UNSUPPORTED');
    assert.deepEqual(proxy.writes, []);
  });

  test('an answer that gets lost is not asked for again: the sender is told, and may', async (t) => {
    const follower = await follow(t, [proxy.url, writer.url]);
    proxy.intercept = (request, response, body) => {
      if (request.method !== 'POST') return false;
      void fetch(writer.url + String(request.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }).finally(() => response.destroy());
      return true;
    };
    const body = registration('eve');
    const lost = await post(follower, REGISTER, body);
    assert.deepEqual([lost.status, lost.code], [503, 'ORIGIN_UNAVAILABLE']);
    assert.equal(lost.headers.get('retry-after'), '5');
    assert.equal(proxy.writes.length, 1);
    proxy.intercept = () => false;
    const again = await post(follower, REGISTER, body);
    assert.equal(again.status, 409);
    assert.match(again.text, /"receipt":\{/);
    assert.equal(registrations('eve'), 1);
  });

  test('skips an unreachable origin; if all are unreachable, nothing has happened', async (t) => {
    const gone = await WriteProxy.before(writer.url);
    const follower = await follow(t, [gone.url, proxy.url]);
    await until(() => follower.node.chain.height === writer.height);
    gone.close();
    const answer = await post(follower, REGISTER, registration('fin'));
    assert.equal(answer.status, 201, answer.text);
    const other = await WriteProxy.before(writer.url);
    const alone = await follow(t, [other.url]);
    other.close();
    const refused = await post(alone, REGISTER, registration('gil'));
    assert.deepEqual([refused.status, refused.code], [503, 'ORIGIN_UNAVAILABLE']);
    assert.match(refused.text, /"detail":"None of them was reached: nothing has happened. /);
    assert.ok(refused.headers.get('retry-after'));
    assert.equal(registrations('gil'), 0);
  });

  test('an origin that is slow, or answers without end, delays only its own request', async (t) => {
    const limits = { forwardTime: 1_000, forwardedWrites: 1 };
    const follower = await follow(t, [proxy.url], { limits });
    await until(() => follower.node.chain.height === writer.height);
    proxy.intercept = ({ method }) => method === 'POST';
    const slow = post(follower, REGISTER, registration('hui'));
    await until(() => proxy.writes.length === 1);
    const second = await post(follower, REGISTER, registration('ida'));
    assert.deepEqual([second.status, second.code], [503, 'OVERLOADED']);
    assert.equal((await slow).code, 'ORIGIN_UNAVAILABLE');
    proxy.intercept = ({ method }, response) => {
      if (method !== 'POST') return false;
      response.writeHead(201, { 'content-type': 'application/json' });
      const part = 'x'.repeat(65_536);
      const talk = (): void =>
        void (response.destroyed || response.write(part, () => setImmediate(talk)));
      talk();
      return true;
    };
    const endless = await post(follower, REGISTER, registration('jan'));
    assert.equal(endless.code, 'ORIGIN_UNAVAILABLE');
    proxy.intercept = () => false;
    // A busy machine may need more time. Then a repeated request gets 409 with the receipt.
    await until(async () => (await post(follower, REGISTER, registration('kim'))).status !== 503);
    assert.equal(registrations('kim'), 1);
  });

  test('a receipt of a height that never comes is handed on all the same', async (t) => {
    const follower = await follow(t, [proxy.url], { limits: { readYourWrites: 200 } });
    const lie = '{"receipt":{"height":900000}}';
    proxy.intercept = ({ method }, response) => {
      if (method !== 'POST') return false;
      response.writeHead(201, { 'content-type': 'application/json' }).end(lie);
      return true;
    };
    const answer = await post(follower, REGISTER, registration('kai'));
    assert.deepEqual([answer.status, answer.text], [201, lie]);
  });

  test('a follower behind a follower forwards, skips origins that refuse, and detects a circle', async (t) => {
    const near = await follow(t, [proxy.url]);
    const mute = await follow(t, [writer.url], { forwardWrites: false });
    const far = await follow(t, [mute.url, near.url]);
    await until(() => far.node.chain.height === writer.height);
    const answer = await post(far, REGISTER, registration('lou'));
    assert.equal(answer.status, 201, answer.text);
    const via = String(proxy.writes[0]?.headers.via);
    assert.match(via, /^1\.1 netd-[a-f0-9]{16}, 1\.1 netd-[a-f0-9]{16}$/);
    proxy.writes.length = 0;
    const circle = await post(far, REGISTER, registration('mo'), { via });
    assert.deepEqual([circle.status, circle.code], [503, 'ORIGIN_UNAVAILABLE']);
    assert.match(circle.text, /"detail":"The origins of this node hand writes on in a circle; /);
    const odd = await post(near, REGISTER, registration('ned'), { via: 'x'.repeat(4_000) });
    assert.equal(odd.status, 201, odd.text);
    assert.ok(String(proxy.writes[0]?.headers.via).length < 100);
    const only = await follow(t, [mute.url]);
    assert.equal((await post(only, REGISTER, registration('oz'))).code, 'FOLLOWER_TAKES_NO_WRITES');
  });

  test('passes on the refusal of the writer; if only followers are left, answers that the writer is away', async (t) => {
    const mute = await follow(t, [writer.url], { forwardWrites: false });
    const away = await WriteProxy.before(writer.url);
    t.after(() => away.close());
    const follower = await follow(t, [away.url, mute.url]);
    const word = '{"code":"SIGNED_INTENT_REQUIRED"}';
    away.intercept = ({ method }, response) =>
      method === 'POST' && Boolean(response.writeHead(403).end(word));
    const unsigned = await post(follower, REGISTER, registration('pia'));
    assert.deepEqual([unsigned.status, unsigned.text], [403, word]);
    away.close();
    const refused = await post(follower, REGISTER, registration('pia'));
    assert.deepEqual([refused.status, refused.code], [503, 'ORIGIN_UNAVAILABLE']);
    assert.match(
      refused.text,
      /"detail":"Those that were reached are followers, which take no writes: nothing has happened. /,
    );
  });
});

test('a follower that halted over a fork forwards nothing: it would choose a history', async (t) => {
  const { writer, twin } = await startFork(t);
  const proxy = await WriteProxy.before(writer.url);
  t.after(() => proxy.close());
  const follower = await follow(t, [proxy.url, twin.url]);
  await until(() => follower.node.status.halted);
  const envelope: JsonObject = { actorId: 'zoe' };
  const { status, code, text } = await post(follower, REGISTER, JSON.stringify(envelope));
  assert.deepEqual([status, code, proxy.writes], [403, 'FOLLOWER_TAKES_NO_WRITES', []]);
  assert.match(
    text,
    /"detail":"It has found two histories .* shows them. Send it, unchanged, to a/,
  );
});
