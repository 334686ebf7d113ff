import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hiddenIn } from './plain-text.ts';

const INVISIBLE =
  '00AD 034F 061C 115F 1160 17B4 17B5 180E 200B 202E 2060 2065 206F 2800 3164 FEFF FFA0 FFF0 FFF9 FFFB 1BCA0 1D173 E0001 E0080 D800 DFFF';

test('characters that readers cannot see are refused, and named', () => {
  for (const digits of INVISIBLE.split(' ')) {
    const text = `a${String.fromCodePoint(Number.parseInt(digits, 16))}b`;
    assert.match(hiddenIn(text, true) ?? '', new RegExp(`U\\+${digits},`), digits);
  }
});

test('joiners that only hide are refused', () => {
  for (const text of [
    'a\u200Db',
    '1\u200C2',
    '\u200D',
    'a \u200C b',
    '\u{1F469}\u200D',
    '한\u200D\u200D국',
  ]) {
    assert.match(hiddenIn(text, true) ?? '', /U\+200[CD],/, JSON.stringify(text));
  }
});

test('characters that shape what is seen pass', () => {
  for (const text of [
    'naïve 東京',
    '👩‍🚀',
    '❤️',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'می‌خواهم',
    '葛󠄀',
    'ᠠ᠋',
    '👩🏽‍🔬 ❤️‍🔥',
    'क्\u200Dष',
    '한국',
    '⠓⠊',
    'a\nb',
  ]) {
    assert.equal(hiddenIn(text, true), null, text);
  }
});
