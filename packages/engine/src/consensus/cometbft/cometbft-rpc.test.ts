import assert from 'node:assert/strict';
import { test } from 'node:test';
import { votersOf } from './cometbft-rpc.ts';

const vote = (letter: string): string =>
  `Vote{0:${letter.repeat(12)} 7/01/SIGNED_MSG_TYPE_PREVOTE(Prevote) 0123 4567 000000000000 @ 2026-01-01T00:00:00Z}`;
const NONE = 'nil-Vote';

test('counts the votes of the running step, and the last ones of the round before', () => {
  const at = (step: number): string[] => [
    ...(votersOf({
      'height/round/step': `7/1/${step}`,
      height_vote_set: [
        { round: 0, prevotes: [vote('F'), NONE], precommits: [vote('A'), NONE] },
        { round: 1, prevotes: [vote('B'), vote('C')], precommits: [NONE, vote('C')] },
      ],
    }) ?? ['nothing yet']),
  ];
  assert.deepEqual(at(3), ['nothing yet']);
  assert.deepEqual(at(4), ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc']);
  assert.deepEqual(at(6), ['aaaaaaaaaaaa', 'cccccccccccc'], 'a validator that was lost since');
});
