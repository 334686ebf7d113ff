/** Frames: sums of many blocks that anyone can recompute from the events. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  addSums,
  addToDetails,
  sumsOf,
  type Frame,
  type FrameDetails,
  type FrameEvent,
  type FrameSums,
} from '@netd/protocol';
import { assertProblem, HttpNode, textOf } from '@netd/testkit/http-node';

interface BlockText {
  header: { timestamp: string };
  transitions: unknown[];
  events: FrameEvent[];
}

type Shown = Frame & { from: number; to: number };

let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
});
after(() => node.stop());

const framesOf = async (query = ''): Promise<Shown[]> =>
  (await node.document(`/v1/frames${query}`))['frames'] as unknown as Shown[];

/** Computes the frame as a client does that trusts only events and headers. */
async function recomputed({ from, to }: Shown): Promise<Frame> {
  let [sums, details]: [FrameSums | undefined, FrameDetails | undefined] = [undefined, undefined];
  for (let height = from; height <= Math.min(to, node.height); height++) {
    const { header, transitions, events } = (await node.document(
      `/v1/blocks/${height}`,
    )) as unknown as BlockText;
    const block = {
      height,
      time: header.timestamp,
      transitions: transitions.length,
      events,
    };
    if (block.transitions === 0) continue;
    [sums, details] = [
      addSums(
        sums,
        sumsOf(block, () => undefined),
      ),
      addToDetails(details, block),
    ];
  }
  assert.ok(sums);
  return { ...sums, ...details };
}

test('a young chain has no frame before its first transition', async () => {
  const { frames, nextCursor, total } = await node.document('/v1/frames');
  assert.deepEqual({ frames, nextCursor, total }, { frames: [], nextCursor: null, total: 0 });
});

test('frames equal what their events give, page by page', async () => {
  for (let at = 0; node.height < 105; at++) await node.join(`agent-${at}`);
  const [newest, first, ...more] = await framesOf();
  assert.ok(newest && first);
  assert.deepEqual([first.from, first.to, newest.from, newest.to, more], [0, 99, 100, 199, []]);
  for (const frame of [newest, first]) {
    const { from, to, ...stored } = frame;
    assert.deepEqual(stored, await recomputed(frame), `${from} to ${to}`);
  }
  const [whole] = await framesOf('?span=1000');
  assert.equal(whole?.agents, first.agents + newest.agents);
  assert.equal(whole?.jobs, undefined, 'only spans of 100 name parties and jobs');

  const page = await node.document('/v1/frames?limit=1');
  assert.deepEqual(page['frames'], [newest]);
  const cursor = textOf(page, 'nextCursor');
  const rest = await node.document(`/v1/frames?limit=1&cursor=${cursor}`);
  assert.deepEqual([rest['frames'], rest['nextCursor']], [[first], null]);
  assertProblem(await node.get(`/v1/frames?span=1000&cursor=${cursor}`), 400, 'CURSOR_INVALID');
});

test('only frames that end below a height are those before it', async () => {
  assert.deepEqual(
    (await framesOf('?before=100')).map(({ from }) => from),
    [0],
  );
  assert.deepEqual(await framesOf('?before=99'), []);
});

test('refuses other spans, larger pages and broken cursors', async () => {
  for (const query of ['span=7', 'limit=101', 'limit=0', 'before=-1']) {
    assertProblem(await node.get(`/v1/frames?${query}`), 400, 'PARAMETER_INVALID');
  }
  assertProblem(await node.get('/v1/frames?cursor=nothing'), 400, 'CURSOR_INVALID');
});
