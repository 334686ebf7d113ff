import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JudgeError, judgeBySchema, Meter } from '@netd/protocol/judge';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { randomCase } from '../../../scripts/vectors/formats/judge.ts';

/** The vectors hold the seeds before these. */
const SEEDS = { from: 1_000, count: 300 };

/** @returns null if the schema refers to itself */
function isMetHere(schema: object, text: string): boolean | null {
  try {
    return judgeBySchema(schema, text, text.length, new Meter()).isMet;
  } catch (error) {
    if (error instanceof JudgeError && /cycle/.test(error.message)) return null;
    throw error;
  }
}

test('the judge gives the verdicts of Ajv', () => {
  for (let seed = SEEDS.from; seed < SEEDS.from + SEEDS.count; seed++) {
    const { schema, text } = randomCase(seed);
    const isMet = isMetHere(schema, text);
    if (isMet === null) continue;
    const ajv = new Ajv2020({ strict: false, ownProperties: true });
    assert.equal(
      isMet,
      ajv.validate(schema, JSON.parse(text)),
      `seed ${seed}: ${JSON.stringify(schema)} ${text}`,
    );
  }
});
