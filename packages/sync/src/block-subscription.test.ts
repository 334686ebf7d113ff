/** A block subscription drops an origin whose stream never ends, and reconnects later. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { ManualClock } from '@netd/testkit/manual-clock';
import { BlockSubscription } from './block-subscription.ts';
import type { Transport } from './transport.ts';

/** The pieces that a connection has sent, and whether it is closed. */
interface Heard {
  pieces: number;
  isOver: boolean;
}

/** A node whose event stream repeats one piece. */
function talkerOf(piece: Uint8Array): { transport: Transport; heard: Heard[] } {
  const heard: Heard[] = [];
  const transport: Transport = {
    ask: async () => {
      const connection: Heard = { pieces: 0, isOver: false };
      heard.push(connection);
      const body = (async function* () {
        try {
          while (connection.pieces < 100_000) {
            connection.pieces++;
            yield piece;
          }
        } finally {
          connection.isOver = true;
        }
      })();
      return { status: 200, ok: true, headers: new Headers(), body };
    },
  };
  return { transport, heard };
}

const talkers: [string, Uint8Array, number][] = [
  ['in single bytes', new Uint8Array(1), 32_768],
  ['in no bytes at all', new Uint8Array(0), 32_768],
  ['in large pieces', new Uint8Array(1_048_576), 16],
];
for (const [name, piece, most] of talkers) {
  test(`drops an endless stream ${name}, and reconnects later`, { timeout: 240_000 }, async (t) => {
    const clock = new ManualClock();
    const { transport, heard } = talkerOf(piece);
    const end = new AbortController();
    t.after(() => end.abort());
    const news = new BlockSubscription(clock, end.signal, transport);
    news.listenTo('http://talker');
    await until(() => heard[0]?.isOver === true);
    assert.deepEqual(
      heard.map(({ pieces }) => pieces),
      [most + 1],
    );
    clock.advance(1_999);
    assert.equal(heard.length, 1);
    clock.advance(1);
    assert.equal(heard.length, 2);
  });
}
