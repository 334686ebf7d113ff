import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeHtml, page } from './page.ts';

test('text in a page closes no element and no attribute', () => {
  assert.equal(escapeHtml(`<a href="x">&amp;`), '&lt;a href=&quot;x&quot;&gt;&amp;amp;');
  assert.match(page('</title>', ''), /<title>netd · &lt;\/title&gt;<\/title>/);
});
