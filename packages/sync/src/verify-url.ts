import {
  type BlockSource,
  SourceUnavailableError,
  type VerifyOptions,
  type VerifyReport,
  verifySource,
} from '@netd/engine';
import { BlockPrefetcher } from './block-prefetcher.ts';
import { forkBaseOfUrl } from './fork-point/follow-fork-point.ts';
import { Origin, OriginUnavailableError } from './origin.ts';

export async function verifyUrl(url: string, options: VerifyOptions): Promise<VerifyReport> {
  return verifySource(await urlSource(url), options, () => null);
}

/**
 * Reads blocks with events, which must match the headers too.
 * @throws Error if no node answers at the address
 */
export async function urlSource(url: string): Promise<BlockSource> {
  const origin = new Origin(url);
  const { height } = await origin.head();
  const genesis = await origin.genesis();
  const blocks = new BlockPrefetcher(origin, 'all');
  const { fork } = genesis;
  return {
    genesis,
    height,
    ...(fork ? { putForkBase: forkBaseOfUrl(origin, fork) } : {}),
    block: async (at) => {
      try {
        return await blocks.take(at, height);
      } catch (error) {
        // A 404 is an answer: the node lacks a block that it claims.
        const isSilent = error instanceof OriginUnavailableError && error.status !== 404;
        if (!isSilent) throw error;
        throw new SourceUnavailableError(error.message, { cause: error });
      }
    },
  };
}
