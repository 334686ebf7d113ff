/** Test doubles for models answer as scripted or recorded, and show how an unexpected question differs. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '@netd/testkit/temp-dir';
import { ModelQuestionError, recordedModel, scriptedModel } from './index.ts';

const VECTOR = fileURLToPath(
  new URL('../../../../vectors/lab/model-recording.json', import.meta.url),
);
const never = (): never => assert.fail('the model is asked');
const refused =
  (message: RegExp): ((error: unknown) => true) =>
  (error) => {
    assert.ok(error instanceof ModelQuestionError, String(error));
    assert.match(error.message, message);
    return true;
  };

test('a script answers in turn, to what it expects, and no more often', async () => {
  const model = scriptedModel([
    'Ada.',
    { when: /rain/i, answer: 'Drip.' },
    { when: 'sun', answer: '' },
  ]);
  assert.equal(await model('A name?'), 'Ada.');
  assert.equal(await model({ prompt: 'Rain, please' }), 'Drip.');
  assert.throws(() => model.done(), refused(/1 of 3 answers were not asked for/));
  await assert.rejects(model('The moon'), refused(/question 3 should hold "sun": "The moon"/));
  await assert.rejects(
    model('x'.repeat(500)),
    refused(/question 4 has no answer, .* 3: "x{240}…"/),
  );
  assert.deepEqual(model.asked.slice(0, 2), ['A name?', { prompt: 'Rain, please' }]);
  const echo = scriptedModel((question: string, turn) => `${turn}: ${question}`);
  assert.deepEqual([await echo('a'), await echo('b')], ['1: a', '2: b']);
  echo.done();
});

test('a recording asks the model once, and replays what it said in any order', async (t) => {
  const file = join(tempDir(t), 'answers.json');
  let turn = 0;
  const ask = async (question: { prompt: string; temperature: number }): Promise<string> =>
    `${question.prompt} ${++turn}`;
  const [one, two] = [
    { prompt: 'one', temperature: 0.7 },
    { prompt: 'two', temperature: 0.7 },
  ];
  const recording = recordedModel({ file, ask, record: true });
  for (const question of [one, two, one]) await recording(question);
  recording.done();

  const replayed = recordedModel<string, object>({ file, ask: never });
  assert.equal(await replayed({ temperature: 0.7, prompt: 'two' }), 'two 2');
  assert.equal(await replayed(one), 'one 1');
  assert.throws(() => replayed.done(), refused(/1 of 3 questions in .* were not asked, .*one/));
  assert.equal(await replayed(one), 'one 3');
  replayed.done();
  await assert.rejects(
    replayed(one),
    refused(/question 4 .* recorded 2 times, and is asked once more/),
  );
  await assert.rejects(
    replayed({ prompt: 'three' }),
    refused(/all 3 that were recorded have been/),
  );
  assert.equal(turn, 3);
});

test('refuses a question that differs, and shows the first difference', async () => {
  const model = recordedModel<string>({ file: VECTOR, ask: never });
  const [{ question }] = (
    JSON.parse(readFileSync(VECTOR, 'utf8')) as {
      exchanges: [{ question: { messages: object[] } }];
    }
  ).exchanges;
  const other = structuredClone(question) as unknown as { messages: [{ content: string }] };
  other.messages[0].content += ' Be brief.';
  await assert.rejects(
    model(other),
    refused(
      /at \/messages\/0\/content ".*" was recorded, ".* Be brief\." is asked\. Record anew with/,
    ),
  );
  await assert.rejects(
    model({ ...question, stop: 'x' }),
    refused(/at \/stop "nothing" was recorded/),
  );
  assert.equal(await model(question), 'Drip, drip, drip.');
  assert.equal(await model('Which is the fourth planet?'), 'Mars.');
  model.done();
});

test('what is no recording is said to be none', async (t) => {
  const file = join(tempDir(t), 'none.json');
  assert.throws(
    () => recordedModel({ file, ask: never }),
    refused(/there is no recording .*none\.json: run the test once with NET_RECORD=1/),
  );
  for (const text of [
    '{',
    '{"schema":"NET-MODEL-RECORDING/2","exchanges":[]}',
    '{"exchanges":[{}]}',
  ]) {
    writeFileSync(file, text);
    assert.throws(() => recordedModel({ file, ask: never }), refused(/is no recording of a model/));
  }
  const asking = recordedModel({ file, ask: () => undefined, record: true });
  await assert.rejects(asking('a'), TypeError);
});
