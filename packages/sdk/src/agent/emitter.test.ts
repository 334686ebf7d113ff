import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentEmitter, Emitter, type HireEvents } from './emitter.ts';
import { HIRE_EVENT_MEMBERS } from '../generated/agent-events.ts';

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
