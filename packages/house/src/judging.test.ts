import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  generateEncryptionKey,
  provableAcceptance,
  publicEncryptionKey,
  sealContent,
  workScope,
  type WorkScope,
} from '@netd/formats';
import { MAX_PROOF_BYTES, sha256Hex, utf8Bytes } from '@netd/protocol';
import type { Content } from './content.ts';
import type { Delivered, Replay } from './findings.ts';
import { Judging } from './judging.ts';
import type { House } from './member.ts';
import { judgeOrder, type WorkOrder } from './verdict.ts';

function judgingOf(t: TestContext, replay: Replay = () => Promise.resolve(null)): Judging {
  const end = new AbortController();
  t.after(() => end.abort());
  return new Judging(replay, end.signal);
}

const LONG = 600_000;

function delivered(
  acceptance: WorkScope['acceptance'],
  text: string,
  maxBytes = 3 * 1024 * 1024,
): Delivered {
  const { bytes, hash } = workScope.make({
    schema: 'NET-WORK-SCOPE/1',
    inputs: [],
    title: 'A list',
    instructions: 'Make it.',
    deliverable: { mediaType: 'application/json', maxBytes },
    acceptance,
  });
  return {
    scopeBytes: bytes,
    scopeHash: hash,
    deliverable: utf8Bytes(text),
    acceptanceHash: undefined,
    isOurs: false,
    mayAbstain: false,
  };
}

test('expensive judging does not delay other work', async (t) => {
  const judging = judgingOf(t);
  const schema = { type: 'array', uniqueItems: true };
  const ask = (length: number) => {
    const items = Array.from({ length }, (_, i) => ({ a: i }));
    return judging.findings(
      delivered([{ kind: 'json-schema', schema }], JSON.stringify(items)),
      LONG,
    );
  };
  // Starts the thread.
  assert.equal((await ask(1))?.vote, 'ACCEPT');
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  t.after(() => clearInterval(timer));
  const found = await ask(200_000);
  assert.equal(found?.vote, 'ACCEPT', found?.reason);
  assert.ok(turns >= 10, `${turns} turns of the event loop while it was judged`);
});

test('five dear questions do not delay a cheap one, and a deadline ends one without a verdict', async (t) => {
  const judging = judgingOf(t);
  const anyOf = [...Array.from({ length: 3_000 }, () => ({ type: 'string' })), { type: 'integer' }];
  const items = JSON.stringify(Array.from({ length: 1_000 }, () => 1));
  const dear = delivered([{ kind: 'json-schema', schema: { items: { anyOf } } }], items, 10_000);
  const order: string[] = [];
  const all = Array.from({ length: 5 }, () =>
    judging.findings(dear, LONG).then((found) => order.push(`dear ${found?.vote}`)),
  );
  const late = judging.findings(dear, 1);
  const cheap = delivered([{ kind: 'json-schema', schema: { type: 'array' } }], items);
  await judging.findings(cheap, LONG).then((found) => order.push(`cheap ${found?.vote}`));
  assert.equal(await late, null);
  await Promise.all(all);
  assert.deepEqual(order, ['cheap ACCEPT', ...Array.from({ length: 5 }, () => 'dear ACCEPT')]);
});

test('blocks are replayed through the node, and a failed replay fails the question', async (t) => {
  let answer: Awaited<ReturnType<Replay>> | Error = null;
  const judging = judgingOf(t, async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const asked = delivered([{ kind: 'chain-replay', from: 3, to: 5 }], '{}');
  assert.equal((await judging.findings(asked, LONG))?.vote, 'UNJUDGEABLE');
  answer = new Error('the node does not answer');
  await assert.rejects(judging.findings(asked, LONG), /the node does not answer/);
  const hash = sha256Hex(utf8Bytes('another'));
  const other = delivered([{ kind: 'sha256', hash }], 'these');
  assert.equal((await judging.findings(other, LONG))?.vote, 'REJECT', 'it goes on');
});

test('nothing is judged once the house has stopped', async () => {
  const end = new AbortController();
  const judging = new Judging(async () => null, end.signal);
  end.abort(new Error('the house has stopped'));
  const hash = sha256Hex(utf8Bytes('these'));
  const asked = delivered([{ kind: 'sha256', hash }], 'these');
  await assert.rejects(judging.findings(asked, LONG), /the house has stopped/);
});

test('a sealed scope accepts nothing unseen, if the requester can contest the result', async (t) => {
  const judging = judgingOf(t);
  const facts = { chainId: 'net-test', fromAgentId: 'rita', toAgentId: 'walt' };
  const sealed = await sealContent(
    utf8Bytes('secret'),
    [publicEncryptionKey(await generateEncryptionKey())],
    { ...facts, conversationId: 'c', messageId: 'm', sequence: 1 },
  );
  const asked = { scopeBytes: sealed.bytes, scopeHash: sealed.hash, deliverable: sealed.bytes };
  const voteOf = async (mayAbstain: boolean) =>
    (
      await judging.findings(
        { ...asked, acceptanceHash: undefined, isOurs: false, mayAbstain },
        LONG,
      )
    )?.vote;
  assert.deepEqual([await voteOf(false), await voteOf(true)], ['ACCEPT', 'UNJUDGEABLE']);
});

test('a juror abstains if a proof could contradict its rejection or acceptance', async (t) => {
  const judging = judgingOf(t);
  const voteOf = async (asked: Delivered) => (await judging.findings(asked, LONG))?.vote;
  const provable = (asked: Delivered, other = asked): Delivered => {
    const scope = workScope.read(other.scopeBytes, other.scopeHash);
    return { ...asked, acceptanceHash: provableAcceptance(scope).hash };
  };
  const text = [{ kind: 'json-schema' as const, schema: { type: 'string' } }];
  const good = delivered(text, '"good"');
  assert.equal(await voteOf(provable(good)), 'ACCEPT');
  assert.equal(await voteOf(provable(delivered(text, '1'))), 'REJECT');
  const foreign = delivered([{ kind: 'json-schema', schema: { type: 'number' } }], '"good"');
  assert.equal(await voteOf(provable(good, foreign)), 'UNJUDGEABLE', 'other conditions');
  assert.equal(await voteOf(provable(delivered(text, '"good"', 3))), 'UNJUDGEABLE', 'the size');
  assert.equal(await voteOf(provable(delivered(text, '12345', 3))), 'REJECT', 'unmet besides');
  const endless = JSON.stringify('a'.repeat(MAX_PROOF_BYTES));
  assert.equal(await voteOf(provable(delivered(text, endless, 3))), 'REJECT', 'beyond any proof');
});

test('a juror does not reject a missing result that its worker could prove', async (t) => {
  const house = { judging: judgingOf(t), isOurs: () => false } as unknown as House;
  const content = {
    find: () => Promise.resolve('absent'),
    namedBy: () => Promise.resolve({ origins: [], certain: true }),
  } as unknown as Content;
  const search = { everywhere: true, isAbsenceFinal: true };
  const hash = sha256Hex('"good"');
  const order = {
    orderId: 'o-1',
    requesterId: 'rita',
    workerId: 'walt',
    scopeHash: hash,
    result: { deliverableHash: hash },
  } as unknown as WorkOrder;
  const voteOn = async (asked: WorkOrder) =>
    (await judgeOrder(house, content, asked, search))?.vote;
  assert.equal(await voteOn(order), 'REJECT');
  assert.equal(await voteOn({ ...order, acceptanceHash: hash }), 'UNJUDGEABLE');
});
