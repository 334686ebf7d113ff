import { NetClient, type DocumentOf, type ParametersOf, type ReadPath } from '@netd/sdk/core';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { rootUrl } from './root-url.ts';
import { wellFormed } from './well-formed.ts';

const served = document.querySelector<HTMLMetaElement>('meta[name="netd-node"]')?.content;
export const nodeUrl = served ?? rootUrl;
export const client = new NetClient({ url: nodeUrl, timeout: 15_000 });

type Read = <Path extends ReadPath>(
  path: Path,
  parameters?: ParametersOf<Path>,
) => Promise<DocumentOf<Path>>;
const read: Read = async (path, parameters) =>
  wellFormed(await (client.read as Read)(path, parameters));

/**
 * `live` documents refresh with new events, `held` lists only on request because someone is reading them,
 * `fixed` ones never.
 */
export type Pace = 'live' | 'held' | 'fixed';

export interface ReadMeta extends Record<string, unknown> {
  pace: Pace;
}

export function reading<Path extends ReadPath>(
  path: Path,
  parameters?: ParametersOf<Path>,
  pace: Pace = 'live',
) {
  return queryOptions({
    queryKey: [path, parameters ?? {}] as const,
    queryFn: () => read(path, parameters),
    meta: { pace } satisfies ReadMeta,
    staleTime: pace === 'live' ? 2_000 : pace === 'held' ? 60_000 : Infinity,
  });
}

type Paged = { nextCursor: string | null };

export function listing<Path extends ReadPath>(path: Path, parameters?: ParametersOf<Path>) {
  return infiniteQueryOptions({
    queryKey: [path, 'pages', parameters ?? {}] as const,
    queryFn: ({ pageParam }) => {
      const more = pageParam === null ? {} : { cursor: pageParam };
      return read(path, { ...parameters, ...more } as unknown as ParametersOf<Path>);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as unknown as Paged).nextCursor,
    meta: { pace: 'held' } satisfies ReadMeta,
    staleTime: 60_000,
  });
}
