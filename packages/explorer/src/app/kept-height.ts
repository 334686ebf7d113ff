import { retainSearchParams } from '@tanstack/react-router';
import { addressedHeight } from '../words/at.ts';

interface Heights {
  at?: number | string | undefined;
}

/** Options of the root route. Links keep the height unless they set `at`; undefined means the newest height. */
export const keptHeight = {
  validateSearch: (search: Record<string, unknown>): Heights => {
    const at = addressedHeight(search['at']);
    return at === undefined ? {} : { at };
  },
  search: { middlewares: [retainSearchParams<Heights>(['at'])] },
};
