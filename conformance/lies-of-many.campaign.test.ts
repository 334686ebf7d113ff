/** A proxy before one of four validators lies about the chain. Each lie fails its requirement. Decision 119. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CHAIN_LIES } from './lies/about-the-chain.ts';
import { startLyingProxy, type LyingProxy } from './lies/lying-proxy.ts';
import { runConformance } from './run.ts';
import { startTestnet, type NetdProcess } from './testing/netd-process.ts';

let testnet: NetdProcess;
let proxy: LyingProxy;
let missing: string | false = false;
try {
  testnet = await startTestnet();
  proxy = await startLyingProxy(testnet.url);
} catch (error) {
  missing = (error as Error).message;
  if (!missing.includes('netd engine install')) throw error;
}

describe('lies about a chain of four', { skip: missing }, () => {
  after(async () => {
    await proxy.close();
    await testnet.stop();
  });

  test('the truth passes', async () => {
    const only = [...new Set(CHAIN_LIES.flatMap(({ breaks }) => breaks))];
    const { dataDir } = testnet;
    const { outcomes } = await runConformance({ url: proxy.url, dataDir, only });
    const failed = outcomes.filter(({ verdict }) => verdict !== 'pass');
    assert.deepEqual(
      failed.map(({ title, why }) => `${title}: ${String(why)}`),
      [],
    );
  });

  for (const lie of CHAIN_LIES) {
    test(lie.name, async () => {
      proxy.tell(lie);
      const { verdicts } = await runConformance({
        url: proxy.url,
        dataDir: testnet.dataDir,
        only: lie.breaks,
        untilOneFails: true,
      });
      assert.ok(proxy.liesTold > 0, 'no check read the answer that it changes');
      const failed = lie.breaks.filter((id) => verdicts.get(id) === 'fail');
      assert.notDeepEqual(failed, [], `nothing of ${lie.breaks.join(', ')} failed`);
    });
  }
});
