import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('testing/signal-host.ts', import.meta.url));

/** Sends SIGTERM after each expected line; returns the signal that ends the process. */
async function endsBy(lines: string[], ...args: string[]): Promise<unknown> {
  const child = spawn(process.execPath, [HOST, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  const exit = once(child, 'exit');
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const line of ['ready', ...lines]) {
    assert.equal((await said.next()).value, line);
    // The two lines of one stop.
    if (line !== 'stop') child.kill('SIGTERM');
  }
  assert.equal((await said.next()).done, true);
  return (await exit)[1];
}

describe('signals of a process with running agents', () => {
  it('stop all agents once, and then end the process', async () => {
    assert.equal(await endsBy(['stop', 'stop of a copy']), 'SIGTERM');
  });

  it('are left to the host that has a listener', async () => {
    assert.equal(await endsBy(['host', 'stop', 'stop of a copy'], 'host'), 'SIGTERM');
  });
});
