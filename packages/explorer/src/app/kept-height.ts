import { retainSearchParams } from '@tanstack/react-router';
import { addressedHeight } from '../words/at.ts';

interface Heights {
  at?: number | string | undefined;
}

/** Options of the root route: links keep the height, unless they name another or, as `at: undefined`, the newest. */
export const keptHeight = {
  validateSearch: (search: Record<string, unknown>): Heights => {
    const at = addressedHeight(search['at']);
    return at === undefined ? {} : { at };
  },
  search: { middlewares: [retainSearchParams<Heights>(['at'])] },
};
