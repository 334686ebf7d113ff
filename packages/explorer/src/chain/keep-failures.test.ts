import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { keepFailures } from './keep-failures.ts';

const queryKey = ['/v1/agents/{agentId}', { agentId: 'mona' }];
const drawn = (): Promise<void> => new Promise((resolve) => notifyManager.schedule(resolve));

test('a denied agent stays denied on display until another answer is there', async () => {
  const queries = new QueryClient();
  keepFailures(queries);
  let isDenied = true;
  const queryFn = async (): Promise<string> => {
    await drawn();
    if (isDenied) throw new Error('AGENT_NOT_FOUND');
    return 'mona';
  };
  const observer = new QueryObserver(queries, { queryKey, queryFn, retry: false });
  const shown: string[] = [];
  // As the hooks of React do.
  const see = (): unknown => shown.push(observer.getCurrentResult().status);
  const end = observer.subscribe(notifyManager.batchCalls(see));
  await queries.refetchQueries({ queryKey });
  await drawn();
  assert.equal(shown.at(-1), 'error');
  shown.length = 0;
  await queries.refetchQueries({ queryKey });
  await drawn();
  assert.deepEqual(new Set(shown), new Set(['error']), 'no skeleton between two denials');
  isDenied = false;
  await queries.refetchQueries({ queryKey });
  await drawn();
  assert.equal(shown.at(-1), 'success');
  end();
  queries.clear();
});
