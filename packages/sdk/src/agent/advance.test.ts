/** The published cases of an agent's machines; `clients/python/tests/test_advance.py` runs the same. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { FormatError } from '@netd/formats';
import { MACHINES } from '../generated/machines.ts';
import { NetError } from '../http.ts';
import { advance, type Effects, type Facts, type Rule } from './advance.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { Poller } from './poller.ts';

interface Step {
  sees?: Facts;
  do?: string;
  set?: Facts;
  emit?: string;
  facts?: Facts;
  wait?: number | null;
  throws?: string;
  kind?: 'failed' | 'refused' | 'unreadable';
}

const VECTORS = new URL('../../../../vectors/agent-machines.json', import.meta.url);
const vectors = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
  machines: Record<string, Rule[]>;
  cases: { machine: keyof typeof MACHINES; name: string; steps: Step[] }[];
};
const parts = { poller: new Poller(new AbortController().signal) };
/** Rules that a case has used. */
const used = new Set<Rule>();

function watched(rules: readonly Rule[]): Rule[] {
  return rules.map((rule) => {
    const on = Object.entries(rule.on ?? {}).map(([name, next]) => [name, watched(next)]);
    return new Proxy<Rule>(rule, {
      get(_, member: keyof Rule) {
        if (member === 'with') used.add(rule);
        return member === 'on' && rule.on ? Object.fromEntries(on) : rule[member];
      },
    });
  });
}

function errorOf({ throws: code = '', kind }: Step): Error {
  const problem = { code, title: code, detail: code } as never;
  if (kind === 'refused') return new NetError(409, problem);
  if (kind === 'unreadable') return new FormatError(code as never);
  return code === 'UNEXPECTED' ? new Error(code) : new AgentError(code as never);
}

describe('advance', () => {
  after(() => {
    const all = (rules: readonly Rule[]): Rule[] =>
      rules.flatMap((rule) => [rule, ...all(Object.values(rule.on ?? {}).flat())]);
    const missing = all(Object.values(MACHINES).flat()).filter((rule) => !used.has(rule));
    assert.deepEqual(missing, [], 'scripts/vectors/agent-machines.ts has no case for these rules');
  });

  it('counts a failure even if what was thrown is no error', async () => {
    for (const thrown of ['no', undefined]) {
      const told: unknown[] = [];
      const failing = (): Promise<never> => Promise.reject(thrown);
      const on = { failed: [{ if: {}, emit: ['warning'], wait: null }] };
      const emit = (_: string, { reason }: Facts): void => void told.push(reason);
      await advance(parts, [{ if: {}, do: 'fail', on }], {}, { effects: { fail: failing }, emit });
      assert.deepEqual(told, [String(thrown)]);
    }
  });

  it('executes the published rules', () => assert.deepEqual(vectors.machines, MACHINES));

  for (const { machine, name, steps } of vectors.cases) {
    it(`${machine}: ${name}`, async () => {
      const facts: Facts = {};
      const rules = watched(MACHINES[machine]);
      const left = [...steps];
      const effects = new Proxy<Effects<Facts>>(
        {},
        {
          get: (_, effect: string) => () => {
            const step = left.shift()!;
            assert.equal(effect, step.do);
            Object.assign(facts, step.facts);
            if (step.throws !== undefined) throw errorOf(step);
          },
        },
      );
      const means = {
        effects,
        note: async (change: Facts) => assert.deepEqual({ set: change }, left.shift()),
        emit: (event: string, told: Facts) => {
          const step = left.shift()!;
          assert.equal(event, step.emit);
          for (const [member, value] of Object.entries(step.facts ?? {}))
            assert.deepEqual(told[member] ?? null, value, member);
        },
      };
      while (left.length > 0) {
        Object.assign(facts, left.shift()!.sees);
        const end = await advance(parts, rules, facts, means).then(
          (wait) => ({ wait }),
          (error: unknown) => {
            if (error instanceof assert.AssertionError) throw error;
            return { throws: codeOf(error) ?? 'UNEXPECTED' };
          },
        );
        assert.deepEqual(end, left.shift());
      }
    });
  }
});
