import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Keeps a failure on display until the next attempt has ended. TanStack Query makes a query without data pending at
 * each attempt, so every block would replace the message with a skeleton, and screen readers would repeat it.
 */
export function keepFailures(queries: QueryClient): void {
  const failures = new WeakMap<Query, Error>();
  queries.getQueryCache().subscribe(({ query, ...event }) => {
    if (event.type === 'observerRemoved' && query.getObserversCount() === 0) failures.delete(query);
    if (event.type !== 'updated') return;
    const { action } = event;
    if (action.type === 'error') failures.set(query, action.error);
    else if (action.type === 'fetch') {
      const error = failures.get(query);
      if (error && query.state.status === 'pending') query.setState({ status: 'error', error });
    }
    // A reset.
    else if (query.state.status === 'pending') failures.delete(query);
  });
}
