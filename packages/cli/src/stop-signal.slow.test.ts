/** Signals, sent as a terminal or a supervisor does. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { EXIT } from './exit-codes.ts';

const MODULE = JSON.stringify(new URL('stop-signal.ts', import.meta.url).href);

/** A service that gets all these signals in one turn of its event loop. */
function stoppedBy(...signals: string[]) {
  const program = `
    import { stopSignal } from ${MODULE};
    const stop = stopSignal('committing');
    const open = setTimeout(() => {}, 60_000);
    for (const signal of ${JSON.stringify(signals)}) process.kill(process.pid, signal);
    await stop;
    setTimeout(() => clearTimeout(open), 1_000);`;
  const args = ['--input-type=module', '-e', program];
  const { status, signal, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, signal, told: stdout.match(/committing/g)?.length };
}

test('one stops in order; the same once more at once, however soon it comes', () => {
  for (const name of ['SIGINT', 'SIGTERM']) {
    assert.deepEqual(stoppedBy(name), { status: 0, signal: null, told: 1 });
    const { status, signal, told } = stoppedBy(name, name);
    assert.deepEqual([status, signal, told], [EXIT.interrupted, null, 1], name);
  }
});
