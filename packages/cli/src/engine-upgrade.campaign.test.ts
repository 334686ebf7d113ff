/**
 * Four validators go from an older patch version of CometBFT to the one that netd pins, one after another. netd
 * refuses other versions, so the older one is built under the pinned number.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readlinkSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { COMETBFT, cometbftPath } from '@netd/engine/cometbft-binary';
import { tempDir } from '@netd/testkit/temp-dir';
import { buildOfCometbft } from './testing/cometbft-build.ts';
import { FourValidators } from './testing/four-validators.ts';

const OLDER = 'v0.38.23';
const NAMED = `${COMETBFT.version.slice(1)}+from.${OLDER.slice(1)}`;

test(
  'validators change the version of CometBFT while payments run',
  { timeout: 900_000 },
  async (t) => {
    const home = tempDir(t);
    const older = await buildOfCometbft(t, {
      home,
      program: 'cometbft',
      version: OLDER,
      changes: {
        'version/version.go': (text) =>
          text.replace(/TMCoreSemVer = ".*"/, `TMCoreSemVer = "${NAMED}"`),
      },
    });
    if (older === null) return;
    mkdirSync(dirname(cometbftPath(home)));
    renameSync(older, cometbftPath(home));
    assert.equal(execFileSync(cometbftPath(home), ['version'], { encoding: 'utf8' }).trim(), NAMED);

    const it = await FourValidators.begin(t, { how: () => ({ env: { NET_ENGINE_DIR: home } }) });
    if (!it) return;
    await it.pay(0);
    /** Returns the file of a validator's running CometBFT. */
    const running = (index: number): string =>
      readlinkSync(`/proc/${it.nodes.engineOf(it.at(index))}/exe`);
    for (const index of [0, 1, 2, 3]) assert.equal(running(index), cometbftPath(home));
    let paid = 0;
    for (const index of [0, 1, 2, 3]) {
      paid += await it.replace(index, {});
      await it.pay(index);
      assert.notEqual(running(index), cometbftPath(home));
      await it.agree();
    }
    for (const index of [0, 1, 2, 3]) {
      await it.holdsWhatWasAnswered(index);
      await it.untilHealth(index, null);
    }
    t.diagnostic(`${paid} payments while one validator restarted`);
  },
);
