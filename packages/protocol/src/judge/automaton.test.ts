import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { automatonOf, matches } from './automaton.ts';
import { Meter } from './meter.ts';
import { parsePattern } from './pattern.ts';

function isMatch(pattern: string, text: string): boolean {
  const job = matches(automatonOf(parsePattern(pattern).tree), text, new Meter());
  for (;;) {
    const { done, value } = job.next();
    if (done) return value;
  }
}

const SIGNS = ['a', 'b', '-', '1', 'é', '\u{1f600}', '\n', '\ud800'];
const one = fc.constantFrom('a', 'b', '-', 'é', '\u{1f600}', String.raw`\d`, String.raw`\D`, String.raw`\w`, String.raw`\W`, String.raw`\n`, '[ab]', '[^a]', '[a-b1]', '[a-]', String.raw`[^\W]`, '[^\u{1f600}]', '^', '$', '|'); // prettier-ignore
const times = fc.constantFrom('', '', '*', '+', '?', '{2}', '{0}', '{1,2}', '{2,}', '*?');
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc
    .array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.tuple(one, times).map(([sign, more]) => (/^[$^|]$/.test(sign) ? sign : sign + more)),
        fc.tuple(tie('pattern'), times).map(([inner, more]) => `(?:${inner})${more}`),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
}));

test('the automaton finds the same matches as the regular expression engine', () => {
  const texts = fc.array(fc.constantFrom(...SIGNS), { maxLength: 6 }).map((all) => all.join(''));
  fc.assert(
    fc.property(pattern, texts, (made, text) => {
      assert.equal(isMatch(made, text), new RegExp(made, 'u').test(text));
    }),
    { numRuns: 500 },
  );
});

test('a dot is any character but a line feed', () => {
  for (const sign of ['\r', '\u2028', '\u{1f600}']) assert.equal(isMatch('^.$', sign), true);
  assert.equal(isMatch('.', '\n'), false);
});
