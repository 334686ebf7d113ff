import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasPassword, printableUrl } from './printable-url.ts';

test('removes names and passwords from all URLs of a text, and nothing else', () => {
  for (const [text, expected] of [
    ['http://user:secret@a.example/x', 'http://***@a.example/x'],
    ['"https://secret@a.example" and s3://a:secret@b', '"https://***@a.example" and s3://***@b'],
    ['HTTP://user:se@cret@a.example:8420', 'HTTP://***@a.example:8420'],
    ['http://a.example/@x, mailto:a@b.example', 'http://a.example/@x, mailto:a@b.example'],
    [
      'tcp://1f2e@a.example:26656 1f2e@a.example:26656',
      'tcp://1f2e@a.example:26656 1f2e@a.example:26656',
    ],
  ] as const) {
    assert.equal(printableUrl(text), expected);
    assert.equal(
      hasPassword(text.split(' ')[0]?.replaceAll('"', '') ?? ''),
      text.includes('secret') || text.startsWith('HTTP') || text.startsWith('tcp'),
    );
  }
});

test('removes a password with a quote, or with a slash that makes the URL invalid', () => {
  for (const secret of ["se'cret", 'se/cret', 'se?cret', 'se#cret', '12a/cret']) {
    assert.equal(printableUrl(`"http://user:${secret}@a.example"`), '"http://***@a.example"');
  }
  const port = 'http://a.example:8420/@x';
  assert.equal(printableUrl(port), port);
});
