/**
 * The checks against a node that lies: whatever it answers otherwise than it is must fail the requirement it breaks.
 * The truth through the same proxy passes, so that a failure is the lie's. A build tells one lie about each path.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fewOfEach, plays } from '@netd/protocol/testing';
import { NO_PYTHON } from './checks/downloads.ts';
import { LIES } from './lies/catalogue.ts';
import type { Lie } from './lies/lie.ts';
import { startLyingProxy, type LyingProxy } from './lies/lying-proxy.ts';
import type { RequirementId } from './requirements.ts';
import { runConformance, type Report } from './run.ts';
import { startNetd, type NetdProcess } from './testing/netd-process.ts';

let node: NetdProcess;
let proxy: LyingProxy;

before(async () => {
  node = await startNetd();
  proxy = await startLyingProxy(node.url);
});
after(async () => {
  await proxy.close();
  await node.stop();
});

const TOLD = fewOfEach(LIES, placeOf, 1);

/** Checks that fill lists, of which some lies leave something out. */
const FILL: readonly RequirementId[] = ['post.memory.handovers', 'post.contributions'];

// Before any lie: some are about lists that only writes fill.
test('the truth passes', async () => {
  const needed = new Set([...FILL, ...TOLD.flatMap(({ breaks }) => breaks)]);
  const only = plays([...needed], []);
  const report = await runConformance({ url: proxy.url, dataDir: node.dataDir, only });
  assert.deepEqual(failuresOf(report), []);
});

describe('each lie fails the requirement it breaks', () => {
  test('and has a name of its own', () => {
    const names = LIES.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
  });

  for (const lie of TOLD) {
    test(lie.name, async () => {
      proxy.tell(lie);
      const report = await runConformance({
        url: proxy.url,
        dataDir: node.dataDir,
        only: lie.breaks,
        untilOneFails: true,
      });
      assert.ok(
        proxy.liesTold > 0,
        'the lie was never told: no check read the answer that it changes',
      );
      const failed = lie.breaks.filter((id) => report.verdicts.get(id) === 'fail');
      assert.notDeepEqual(failed, [], `nothing of ${lie.breaks.join(', ')} failed`);
    });
  }
});

/** Returns the method and path, which a lie's name has before its colon. */
function placeOf({ name }: Lie): string {
  return name.split(': ', 1)[0] ?? name;
}

const failuresOf = ({ outcomes }: Report): string[] =>
  outcomes
    .filter(({ verdict, why }) => verdict !== 'pass' && why !== NO_PYTHON)
    .map(({ title, why }) => `${title}: ${String(why)}`);
