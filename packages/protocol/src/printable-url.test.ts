import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasPassword, printableAddress, printableUrl } from './printable-url.ts';

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

test('removes queries, and fragments with values, and keeps a question mark of a sentence', () => {
  for (const [text, expected] of [
    ['{"url":"http://a.example/x?key=secret"}', '{"url":"http://a.example/x?***"}'],
    ['(postgres://a:secret@b/c?password=secret)', '(postgres://***@b/c?***)'],
    ['http://a.example/#token=secret.', 'http://a.example/#***'],
    ['see http://a.example/docs/errors#CODE', 'see http://a.example/docs/errors#CODE'],
    ['is it http://a.example? Start it', 'is it http://a.example? Start it'],
  ] as const) {
    assert.equal(printableUrl(text), expected);
  }
});

test('removes the secrets of an address without a scheme too', () => {
  for (const [text, expected] of [
    ['a.example:8420?key=secret', 'a.example:8420?***'],
    ['ada:secret@a.example:8420/v1', '***@a.example:8420/v1'],
    ['http://a.example/#secret', 'http://a.example/#***'],
    ['http://a.example/?a b', 'http://a.example/?***'],
    ['http://', 'http://'],
    ['', ''],
  ] as const) {
    assert.equal(printableAddress(text), expected);
  }
});
