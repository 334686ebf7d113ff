/** A node without documentation says so. Clients that prefer Markdown get it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@netd/engine';
import { fastify } from 'fastify';
import type { HttpContext } from './context.ts';
import { prefersMarkdown } from './request-head.ts';
import { routesOf } from './routes/docs.ts';

test('a node that was not built with its documentation says so with a code', async () => {
  const app = fastify();
  const codes: string[] = [];
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ApiError) codes.push(error.code);
    void reply.code(404).send();
  });
  routesOf(null)(app, { options: { publicUrl: 'https://net.example' } } as HttpContext);
  const paths = [
    '/docs',
    '/docs.md',
    '/docs/errors',
    '/docs/guides/hire',
    '/docs/actions/transfer',
  ];
  for (const url of paths) assert.equal((await app.inject({ url })).statusCode, 404, url);
  assert.deepEqual(
    codes,
    paths.map(() => 'DOCS_NOT_BUILT'),
  );
  await app.close();
});

test('Markdown is for those who ask for it, and like nothing better', () => {
  const cases: [accept: string, markdown: boolean][] = [
    ['text/markdown', true],
    ['text/markdown, text/html;q=0.9, */*;q=0.1', true],
    ['text/html;q=0.5, text/markdown;q=0.5', true],
    ['text/html, text/markdown;q=0.5', false],
    ['text/markdown;q=0', false],
    ['text/html,application/xhtml+xml,*/*;q=0.8', false],
    ['*/*', false],
  ];
  for (const [accept, markdown] of cases) {
    assert.equal(prefersMarkdown({ accept }), markdown, accept);
  }
  assert.equal(prefersMarkdown({}), false);
});
