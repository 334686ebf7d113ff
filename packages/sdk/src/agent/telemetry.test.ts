import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Instruments, type TelemetryAttributes } from './telemetry.ts';

it('counts the skills of strangers as one', () => {
  const counted = new Map<unknown, number>();
  const add = (value: number, attributes: TelemetryAttributes = {}): void => {
    const skill = attributes['netsdk.skill'];
    counted.set(skill, (counted.get(skill) ?? 0) + value);
  };
  const meter = { createCounter: () => ({ add }), createHistogram: () => ({ record: () => {} }) };
  const instruments = new Instruments({ meter });
  for (const number of [...Array.from({ length: 150 }).keys(), 3])
    instruments.count('jobs', 1, { 'netsdk.skill': `skill-${number}` });
  assert.deepEqual([counted.size, counted.get('skill-3'), counted.get('other')], [101, 2, 50]);
});
