import type { Genesis } from '@netd/protocol';
import { EngineThread, type ThreadData } from '../host/engine-link.ts';
import type { CometNews, CometOptions } from './comet-consensus.ts';

export interface CometData
  extends
    ThreadData,
    Pick<
      CometOptions,
      'binary' | 'home' | 'peersOnly' | 'idleBlockTime' | 'decisionTime' | 'checkpointsPath'
    > {
  storePath: string;
  genesis: Genesis;
  failpoint: string | undefined;
}

const WORKER = new URL('comet-worker.ts', import.meta.url);

export const cometThread = (data: CometData): EngineThread<CometNews> =>
  new EngineThread({ file: WORKER, name: 'cometbft', youngMegabytes: 48, data });
