/** An event stream resumed on another node continues with the same bytes, while blocks are being made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plays } from '@netd/protocol/testing';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { HttpNode } from '@netd/testkit/http-node';

const HOPS = 8;
const EVENTS_A_HOP = 5;

/** Returns the raw events of a stream after an id, without comments. */
async function framesOf(
  url: string,
  query: string,
  lastEventId: string,
  count: number,
): Promise<string[]> {
  const end = new AbortController();
  const response = await fetch(`${url}/v1/events${query}`, {
    headers: { accept: 'text/event-stream', 'last-event-id': lastEventId },
    signal: end.signal,
  });
  assert.equal(response.status, 200);
  assert.ok(response.body);
  const frames: string[] = [];
  let rest = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const pieces = (rest + part).split('\n\n');
    rest = pieces.pop() ?? '';
    frames.push(...pieces.filter((piece) => piece.includes('\ndata:')));
    if (frames.length >= count) break;
  }
  end.abort();
  return frames.slice(0, count);
}

const idOf = (frame: string): string => /^id: ?(\S+)$/m.exec(frame)?.[1] ?? '';

for (const query of plays([''], ['', '?type=AgentRegistered'])) {
  test(`an event stream${query} hops between writer and follower under load, and not a byte differs`, async (t) => {
    const writer = await HttpNode.start();
    t.after(() => writer.stop());
    const follower = await startFollower(t, [writer.url]);
    const end = new AbortController();
    const load = (async () => {
      for (let count = 0; !end.signal.aborted; count++) await writer.join(`load-${count}`);
    })();
    const hopped: string[] = [];
    let height: number;
    try {
      for (let hop = 0; hop < HOPS; hop++) {
        const url = hop % 2 === 0 ? follower.url : writer.url;
        const from = hopped.at(-1);
        const frames = await framesOf(url, query, from ? idOf(from) : '0.0', EVENTS_A_HOP);
        assert.equal(frames.length, EVENTS_A_HOP);
        hopped.push(...frames);
      }
    } finally {
      end.abort();
      await load;
      height = writer.height;
    }
    await hasReached(follower, height);
    const { next } = (await writer.document(
      `/v1/events?limit=1000&after=0.0${query.replace('?', '&')}`,
    )) as { next: string };
    const [here, there] = await Promise.all(
      [follower.url, writer.url].map(async (url) => {
        const page = (await (
          await fetch(`${url}/v1/events?limit=1000&after=0.0${query.replace('?', '&')}`)
        ).json()) as { events: unknown[] };
        return framesOf(url, query, '0.0', page.events.length);
      }),
    );
    assert.ok(here && there && here.length >= hopped.length);
    assert.deepEqual(here, there);
    assert.deepEqual(hopped, there.slice(0, hopped.length));
    assert.equal(idOf(there.at(-1) ?? ''), next);
    assert.ok(new Set(hopped.map(idOf)).size === hopped.length);
  });
}
