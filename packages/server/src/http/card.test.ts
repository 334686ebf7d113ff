import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, describe, it } from 'node:test';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { CARD_SIZE, svgOf, type Card } from './card.ts';

const card = { kind: 'Job', title: 'Read', facts: ['25 NET'] };
const FONTS = ['Bold', 'Regular'].map((name) =>
  readFileSync(new URL(`../../cards/Roboto-${name}.ttf`, import.meta.url)),
);
const SVG = 'xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="Roboto"';

const textsOf = (changes: Partial<Card>): string[] =>
  svgOf({ ...card, ...changes }).match(/<text.*<\/text>/g) ?? [];

before(() =>
  initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm'))),
);

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

  it('keeps every text within three lines and its width, as the font draws it', () => {
    const [wide, long] = [
      textsOf({ title: 'W'.repeat(1_000) }),
      textsOf({ title: '— W@ '.repeat(100) }),
    ];
    for (const text of [
      ...wide,
      ...long,
      ...textsOf({ facts: ['m'.repeat(1_000), 'Ѹ'.repeat(64)] }),
    ]) {
      const drawing = new Resvg(`<svg ${SVG}>${text}</svg>`, { font: { fontBuffers: FONTS } });
      const { x, width } = drawing.getBBox() ?? { x: 0, width: 0 };
      assert.ok(x + width < CARD_SIZE.width - 60, `${x + width} pixels: ${text}`);
    }
    assert.match(wide[2] ?? '', /…</);
    assert.equal(long.length, ['netd', 'kind', 'fact'].length + 3);
    assert.match(long[4] ?? '', /…</);
  });

  it('leaves out emoji, and a text in letters that its font lacks', () => {
    const shown = (title: string): string[] =>
      textsOf({ title, facts: ['25 NET', '翻译 it'] }).map((text) => text.replaceAll(/<.*?>/g, ''));
    assert.deepEqual(shown('Ship it 🚀'), ['netd', 'Job', 'Ship it', '25 NET']);
    assert.deepEqual(shown('👩‍👩‍👧 ❤️ ≠ 2️⃣ ☃'), ['netd', 'Job', '≠', '25 NET']);
    for (const title of ['翻译这份文件', 'ترجمة', '𝐍𝐄𝐓', 'offer not ไทย', '🚀']) {
      assert.deepEqual(shown(title), ['netd', 'Job', '25 NET'], title);
    }
    assert.deepEqual(shown('Ευχαριστώ, привет, Việt'), [
      'netd',
      'Job',
      'Ευχαριστώ, привет, Việt',
      '25 NET',
    ]);
  });
});
