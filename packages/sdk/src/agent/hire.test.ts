/** Types of hiring. Nothing here runs: the file passes if it compiles and each expected error occurs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Agent } from './agent.ts';
import type { Hired, HireResult } from './hired.ts';

const ASKED = {
  title: 'A haiku',
  instructions: 'Three lines.',
  acceptance: [{ kind: 'json-schema', schema: { type: 'string' } }],
  funding: '5 NET',
} as const;

async function right(agent: Agent): Promise<HireResult> {
  const acceptance = [...ASKED.acceptance];
  const hired: Hired = await agent.hire({ ...ASKED, acceptance });
  await agent.hire({ ...ASKED, acceptance, id: 'x', worker: 'ada', funding: 5_000_000 });
  hired.on('voted', ({ reason, untrusted }) => {
    const words: string | null = reason;
    const mark: true = untrusted;
    return [words, mark];
  });
  hired.on('timedOut', ({ refund }) => {
    const unet: number | null = refund;
    return unet;
  });
  return hired.result({ timeout: 1_000 });
}

async function mistakes(agent: Agent, hired: Hired): Promise<void> {
  const acceptance = [...ASKED.acceptance];
  // @ts-expect-error the funding is missing
  await agent.hire({ title: 'x', instructions: 'y', acceptance });
  // @ts-expect-error no kind of condition
  await agent.hire({ ...ASKED, acceptance: [{ kind: 'guess' }] });
  // @ts-expect-error no amount
  await agent.hire({ ...ASKED, acceptance, funding: true });
  // @ts-expect-error a span has heights and milliseconds
  await agent.hire({ ...ASKED, acceptance, deliverWithin: { heights: 5 } });
  // @ts-expect-error the name of an option is misspelt
  await agent.hire({ ...ASKED, acceptance, jobtype: 'haiku' });
  // @ts-expect-error no event is called so
  hired.on('vote', () => {});
  // @ts-expect-error a paid order has no reason
  hired.on('paid', ({ reason }) => reason);
  // @ts-expect-error there is a reason to say
  await hired.dispute();
}

test('hiring is typed', () => {
  assert.deepEqual([right.name, mistakes.name], ['right', 'mistakes']);
});
