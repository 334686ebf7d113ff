/** Old validators that die on the way to version 2 of the rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  announce,
  beginWithVersion1,
  comesBack,
  lacksRules,
  OLD,
  payUntil,
  schedule,
  TIMEOUT,
} from './testing/rules-crossing.ts';

/** From the last known block on; `decision.committed` is a node that votes for nothing. */
const MOMENTS = [
  'decision.executed',
  'decision.committing',
  'decision.committed',
  'block.writing',
  'block.durable',
] as const;

for (const moment of MOMENTS) {
  test(
    `an old validator killed at ${moment} halts and comes back`,
    { timeout: TIMEOUT },
    async (t) => {
      const it = await beginWithVersion1(t);
      if (!it) return;
      const height = await schedule(it);
      for (const index of [0, 1, 2]) await announce(it, index);
      const failpoint = { NET_FAILPOINT: `${moment}@${height - 1}` };
      await it.down(3);
      const { command } = await it.up(3, [], { ...OLD, env: failpoint });
      await payUntil(it, height);
      await command.ended;
      assert.equal(command.child.signalCode, 'SIGKILL', command.stderr);
      const { code, stdout, stderr } = await it.nodes.begin(it.place(3), [], OLD).ended;
      assert.equal(code, 4, stderr);
      assert.match(stdout, lacksRules(height));
      await comesBack(it, height);
    },
  );
}
