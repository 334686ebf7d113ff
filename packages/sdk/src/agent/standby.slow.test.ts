/** Two replicas on one state: the second waits, and takes over when the first is killed. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Agent } from './agent.ts';
import { stage } from './testing/staged.ts';

const staged = stage();
const CHILD = fileURLToPath(new URL('testing/standby-child.ts', import.meta.url));

class Replica {
  readonly child: ChildProcess;
  private readonly lines: AsyncIterableIterator<string>;

  constructor(t: TestContext, options: object, failpoint = '') {
    const given = [CHILD, JSON.stringify(options), failpoint];
    this.child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => this.child.kill('SIGKILL'));
    assert.ok(this.child.stdout);
    this.lines = createInterface(this.child.stdout)[Symbol.asyncIterator]();
  }

  async until(line: RegExp): Promise<string> {
    for (;;) {
      const { value, done } = await this.lines.next();
      assert.ok(done !== true, `the replica ended before ${line}`);
      if (line.test(value)) return value;
    }
  }
}

test('a standby takes over a killed replica, and its act happens once', async (t) => {
  const { reach: _, log: __, ...options } = staged.world.options();
  const first = new Replica(t, options, 'act.answered');
  await once(first.child, 'exit');
  assert.equal(first.child.signalCode, 'SIGKILL');
  const second = new Replica(t, options);
  const paid = await second.until(/^paid/);
  // The second one is active now.
  const third = new Replica(t, options);
  await third.until(/^waiting .*the end of the process/);
  second.child.kill('SIGKILL');
  await third.until(/^active/);
  assert.equal(await third.until(/^paid/), paid);
  const { account } = await staged.world.client.read('/v1/agents/{agentId}', {
    agentId: 'replica',
  });
  assert.equal(account.balance, 1_000_000);
});

test('a standby ends with its signal, and a second process without the option is refused', async (t) => {
  const options = staged.world.options({ log: false });
  const agent = await Agent.open('holder', options);
  t.after(() => agent.stop());
  await assert.rejects(Agent.open('holder', options), { code: 'AGENT_RUNNING' });
  const waiting = Agent.open('holder', { ...options, standby: true, timeout: 300 });
  await assert.rejects(waiting, { code: 'CALL_TIMEOUT' });
});
