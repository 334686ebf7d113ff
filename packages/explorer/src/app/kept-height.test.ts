import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { keptHeight } from './kept-height.ts';

/** Returns the addresses of links on a page. */
async function linksOn(page: string) {
  const root = createRootRoute(keptHeight);
  const at = (path: string) =>
    createRoute({
      getParentRoute: () => root,
      path,
      validateSearch: ({ tab }: Record<string, unknown>) => ({ tab }),
    });
  const router = createRouter({
    routeTree: root.addChildren([at('/agents'), at('/agents/$agentId')]),
    history: createMemoryHistory({ initialEntries: [page] }),
  });
  await router.load();
  return (to: string, search?: object): string =>
    router.buildLocation({ to, search } as never).href;
}

test('links keep the height of the page', async () => {
  const link = await linksOn('/agents?at=7');
  assert.equal(link('/agents/ada'), '/agents/ada?at=7');
  assert.equal(link('/agents/ada', { tab: 'work' }), '/agents/ada?tab=work&at=7');
});

test('links can set another height, or the newest', async () => {
  const link = await linksOn('/agents?at=7');
  assert.equal(link('/agents', { at: 9 }), '/agents?at=9');
  assert.equal(link('/agents', { at: undefined }), '/agents');
});

test('links on a page without a height have none', async () => {
  assert.equal((await linksOn('/agents?tab=work'))('/agents/ada'), '/agents/ada');
});
