import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { assert as check, maxSafeNat, property } from 'fast-check';
import { netText, parseAmount, type AmountUnit } from './amount.ts';

interface Case {
  text: string;
  NET: number | null;
  unet: number | null;
  none: number | null;
}
const { cases } = JSON.parse(
  readFileSync(new URL('../../../vectors/amounts.json', import.meta.url), 'utf8'),
) as { cases: Case[] };

describe('an amount that a person types', () => {
  it('is read as the vectors say, for every unit of a bare number', () => {
    for (const { text, ...wanted } of cases) {
      for (const unit of ['NET', 'unet', 'none'] as const) {
        const bareUnit: AmountUnit | null = unit === 'none' ? null : unit;
        assert.equal(parseAmount(text, bareUnit), wanted[unit], `${JSON.stringify(text)} ${unit}`);
      }
    }
  });

  it('is never read otherwise than it is written', () => {
    for (const text of [
      '1,5',
      '1.500,25',
      '1,500 NET',
      '1 500',
      "1'500",
      '+5',
      '-5',
      '1e3',
      '５',
      '5..0',
    ]) {
      for (const unit of ['NET', 'unet', null] as const) {
        assert.equal(parseAmount(text, unit), null, text);
      }
    }
  });

  it('is printed so that it can be typed again', () => {
    assert.equal(netText(1_234_567_500_000), '1234567.5 NET');
    assert.equal(netText(-1), '-0.000001 NET');
    check(property(maxSafeNat(), (unet) => parseAmount(netText(unet), null) === unet));
  });
});
