import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_TABLE } from '@netd/protocol';
import { refusalText } from '../discovery/refusal-text.ts';
import { makeProblem } from './problem.ts';

test('the limits of unfinished orders leave the figures to the detail', () => {
  for (const code of ['WORK_UNPROVEN_LIMIT', 'WORK_UNFINISHED_LIMIT'] as const) {
    assert.doesNotMatch(ERROR_TABLE[code].title, /unfinished/);
  }
});

test('a refusal turns its fault into a sentence, and keeps the case of names', () => {
  for (const [message, whole] of [
    ['there is no action x; did you mean y?', 'There is no action x; did you mean y? '],
    ['theo is no party', 'theo is no party. '],
    ['It is over', 'It is over. '],
  ] as const) {
    const { detail } = makeProblem('ACTION_UNKNOWN', 'id', { message });
    assert.ok(detail.startsWith(whole), detail);
    const text = refusalText('ACTION_UNKNOWN', { message }, {});
    assert.ok(text.includes(`. ${whole}`), text);
  }
});
