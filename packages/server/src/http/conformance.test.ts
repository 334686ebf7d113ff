/** The test suite of HTTP: every requirement of conformance, against one node. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '@netd/node';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import { tempDir } from '@netd/testkit/temp-dir';
import { NO_PYTHON } from '../../../../conformance/checks/downloads.ts';
import { runConformance } from '../../../../conformance/run.ts';

test('a node on an empty chain keeps every promise of the interface', async (t) => {
  const dataDir = tempDir(t);
  const { actorId } = makeFastDevnet(dataDir);
  const node = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 5 });
  t.after(() => node.stop());
  const facts = {
    operatorActorId: actorId,
    operatorKeyPath: join(dataDir, 'keys', 'operator.json'),
  };
  writeFileSync(join(dataDir, 'dev.json'), JSON.stringify(facts));
  const { outcomes } = await runConformance({ url: node.url, dataDir });
  const broken = outcomes.filter(
    ({ verdict, why }) => verdict === 'fail' || (verdict === 'skip' && why !== NO_PYTHON),
  );
  assert.deepEqual(broken, []);
});
