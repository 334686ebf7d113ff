import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { takeDemoToken } from './chain/demo.ts';
import { follow } from './chain/live.ts';
import { watchLoadedFiles } from './chain/loaded-files.ts';
import { restoreOrigins } from './chain/named-origins.ts';
import { NetError } from '@netd/sdk/core';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) =>
        !(error instanceof NetError && error.status >= 400 && error.status < 500) && failures < 3,
      networkMode: 'always',
    },
  },
});
takeDemoToken();
watchLoadedFiles();
restoreOrigins();
follow(queries);

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
// The shell of index.html stays until the page's own code is there.
await router.load().catch(() => undefined);
root.replaceChildren();
createRoot(root).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
