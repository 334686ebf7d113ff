/** The folder of a testnet at later starts. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NEWEST_RULES } from '@netd/ledger';
import type { Genesis } from '@netd/protocol';
import { tempDir } from '@netd/testkit/temp-dir';
import { openTestnet } from './testnet.ts';

test('a testnet keeps its rules, continues after its folder has moved, and reports damaged facts', async (t) => {
  const home = tempDir(t);
  const [before, after] = [join(home, 'before'), join(home, 'after')];
  const made = await openTestnet(before, 2, Date.now());
  assert.ok(made.isNew);
  assert.deepEqual(await openTestnet(before, 4, Date.now()), { ...made, isNew: false });

  renameSync(before, after);
  const { testnet, isNew } = await openTestnet(after, 2, Date.now());
  assert.equal(isNew, false);
  assert.equal(testnet.chainId, made.testnet.chainId);
  for (const [index, { dataDir, peer }] of testnet.validators.entries()) {
    assert.ok(dataDir.startsWith(after) && existsSync(join(dataDir, 'keys/validator.json')));
    assert.equal(peer, made.testnet.validators[index]?.peer);
  }

  const old = await openTestnet(join(home, 'old'), 1, Date.now(), 1);
  const rulesIn = ({ testnet: { validators } }: typeof old): unknown =>
    (JSON.parse(readFileSync(join(validators[0]!.dataDir, 'genesis.json'), 'utf8')) as Genesis)
      .rules;
  assert.deepEqual([rulesIn({ testnet, isNew }), rulesIn(old)], [NEWEST_RULES, undefined]);

  const facts = join(after, 'testnet.json');
  const whole = readFileSync(facts, 'utf8');
  for (const damaged of [whole.slice(0, 60), '{}', '']) {
    writeFileSync(facts, damaged);
    await assert.rejects(
      openTestnet(after, 2, Date.now()),
      /testnet\.json is damaged, .*: put it back, or name another --dir/,
    );
    assert.equal(readFileSync(facts, 'utf8'), damaged);
  }
});
