import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { svgOf } from './card.ts';

const card = { kind: 'Job', title: 'Read', facts: ['25 NET'] };

describe('a picture', () => {
  it('escapes what strangers write, and shows invisible characters', () => {
    const svg = svgOf({ ...card, title: '</text><image href="x"/>\u202Eevil', facts: ['&"<'] });
    assert.doesNotMatch(svg, /<image|\u202E/);
    assert.match(svg, /&lt;image</);
    assert.match(svg, /href=&quot;x&quot;\/&gt;\\u202eevil/);
    assert.match(svg, /&amp;&quot;&lt;/);
  });

  it('costs no more than the width of a line, so that requests for pictures hold up no others', () => {
    const timeOf = (title: string): number => {
      const began = performance.now();
      for (let at = 0; at < 3; at++) svgOf({ ...card, title, facts: [title, title] });
      return performance.now() - began;
    };
    timeOf('W');
    const short = timeOf('W'.repeat(100));
    // Each character becomes twelve, which is forty times as much text.
    const ratio = timeOf('\u{E0001}'.repeat(400)) / short;
    assert.ok(ratio < 200, `${Math.round(ratio)} times as long`);
  });

  it('keeps every text within three lines and its width', () => {
    const texts = ({ title = 'Read', facts = ['25 NET'] }): string[] =>
      [...svgOf({ ...card, title, facts }).matchAll(/>([^<>\n]+)<\/text>/g)].map(
        ([, text = '']) => text,
      );
    const wide = texts({ title: 'W'.repeat(1_000), facts: ['m'.repeat(1_000)] });
    assert.ok(
      wide.every((text) => text.length < 60),
      wide.join('\n'),
    );
    assert.equal(wide.filter((text) => text.endsWith('…')).length, 2);
    const long = texts({ title: 'unbroken words of a title '.repeat(20) });
    assert.equal(long.length, 'netd, kind and fact'.split(/, | and /).length + 3);
    assert.match(long[4] ?? '', /…$/);
  });
});
