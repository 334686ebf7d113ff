import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentError } from './agent-error.ts';
import { AgentEmitter, Emitter, type HireEvents } from './emitter.ts';
import { HIRE_EVENT_MEMBERS } from '../generated/agent-events.ts';

test('logs the class and the line of an error that is not of the SDK', () => {
  const lines: string[] = [];
  const agent = new AgentEmitter((line) => void lines.push(line));
  const event = { orderId: 'a-1', attempt: 1 };
  agent.emit('failed', { ...event, error: new RangeError('too long') });
  assert.match(
    lines[0] ?? '',
    /^failed {2}orderId: a-1, attempt: 1, error: RangeError: too long \(at .*emitter\.test\.ts:\d+:\d+\)?\)$/,
  );
  agent.emit('failed', { ...event, error: new AgentError('STEP_LIMIT', 'a-1') });
  assert.match(lines[1] ?? '', /error: The steps of this order .*\[STEP_LIMIT\]$/);
  agent.warn('thrown', 'a-1');
  assert.equal(lines[2], 'warning  code: UNEXPECTED, message: a-1: Error: thrown');
});

test('refuses an unknown event name and lists the valid ones', () => {
  const agent = new AgentEmitter(() => {});
  const hired = new Emitter<HireEvents>(() => {}, HIRE_EVENT_MEMBERS);
  for (const emitter of [agent, hired] as { on(name: string, listener: () => void): unknown }[]) {
    for (const name of ['payed', 'Paid', 'toString', '']) {
      assert.throws(() => emitter.on(name, () => {}), {
        code: 'ARGUMENT_INVALID',
        message: /no event is called "\w*"; there are .*\bpaid\b.*\brejected\b/,
      });
    }
    emitter.on('paid', () => {});
  }
  const isRefused = { code: 'ARGUMENT_INVALID' };
  assert.throws(() => agent.on('voted' as 'paid', () => {}), isRefused, 'an event of orders');
  assert.throws(() => agent.on('paid', 5 as never), isRefused);
  hired.on('voted', () => {});
});
