/** Every requirement against a follower, and a follower that lies: reads come from it, writes go to its writer. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { plays } from '@netd/protocol/testing';
import { NO_PYTHON } from './checks/downloads.ts';
import { AT_THE_WRITER } from './follower-writes.ts';
import { LIES } from './lies/catalogue.ts';
import { startLyingProxy, type LyingProxy } from './lies/lying-proxy.ts';
import type { RequirementId } from './requirements.ts';
import { runConformance } from './run.ts';
import {
  startFollower,
  startNetd,
  type FollowerProcess,
  type NetdProcess,
} from './testing/netd-process.ts';

/** One in so many: a writer gets the whole catalogue, and followers serve with the same code. */
const EVERY = plays(40, 12);

let writer: NetdProcess;
let follower: FollowerProcess;
let proxy: LyingProxy;

before(async () => {
  writer = await startNetd();
  follower = await startFollower(writer.url);
  proxy = await startLyingProxy(follower.url);
});
after(async () => {
  await proxy.close();
  await follower.stop();
  await writer.stop();
});

const target = (): { url: string; writer: string; dataDir: string } => ({
  url: proxy.url,
  writer: writer.url,
  dataDir: writer.dataDir,
});

const TOLD = LIES.filter(({ name }) => name.startsWith('GET ')).filter(
  (_lie, index) => index % EVERY === 5,
);
/** The requirements that a build checks before the lies. Some fill lists that the lies are about. */
const FEW: readonly RequirementId[] = [
  'post.memory.handovers',
  'post.contributions',
  ...TOLD.flatMap(({ breaks }) => breaks),
];

test('a follower meets the requirements, and refuses the writes', async () => {
  const { outcomes, forwarded } = await runConformance({ ...target(), only: plays(FEW, []) });
  const failed = outcomes
    .filter(({ verdict, why }) => verdict !== 'pass' && why !== NO_PYTHON)
    .map(({ title, why }) => `${title}: ${String(why)}`);
  assert.deepEqual(failed, []);
  const atTheWriter = Object.keys(AT_THE_WRITER);
  const others = forwarded.filter((write) => !atTheWriter.includes(write));
  assert.deepEqual(others, []);
  assert.ok(forwarded.length >= plays(5, atTheWriter.length), forwarded.join());
});

describe('a lie about what a follower reads fails the requirement it breaks', () => {
  for (const lie of TOLD) {
    test(lie.name, async () => {
      proxy.tell(lie);
      const { verdicts } = await runConformance({ ...target(), only: lie.breaks });
      assert.ok(
        proxy.liesTold > 0,
        'the lie was never told: no check read the answer that it changes',
      );
      const failed = lie.breaks.filter((id) => verdicts.get(id) === 'fail');
      assert.notDeepEqual(failed, [], `nothing of ${lie.breaks.join(', ')} failed`);
    });
  }
});
