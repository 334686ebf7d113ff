import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachWarnings } from './reach.ts';

test('warns of a recipient that is offline or reads no messages, and of a sender without answers', () => {
  const names = { from: 'ada', to: 'bob' };
  const online = [{ protocols: ['NET-AGENT-MESSAGE/1'] }];
  const deaf = [{ protocols: ['http'] }];
  assert.deepEqual(reachWarnings(names, online, online), []);
  assert.deepEqual(reachWarnings(names, undefined, undefined), [], 'nothing is known yet');
  for (const other of [[], deaf]) {
    assert.match(reachWarnings(names, online, other).join(), /^bob cannot be reached now/);
  }
  assert.match(reachWarnings(names, [], online).join(), /^You are not online, ada/);
  assert.equal(reachWarnings(names, [], []).length, 2);
});
