import type { Genesis } from '@netd/protocol';
import { EngineThread, type ThreadData } from '../host/engine-link.ts';
import type { BlockTimes } from './block-timer.ts';

export interface ProducerData extends BlockTimes, ThreadData {
  storePath: string;
  genesis: Genesis;
  validatorId: string;
  /** PKCS #8 PEM. */
  validatorKey: string;
  /** Undefined only in tests. */
  lastSignedPath?: string;
  failpoint: string | undefined;
}

const WORKER = new URL('producer-worker.ts', import.meta.url);

export const producerThread = (data: ProducerData, file = WORKER): EngineThread<never> =>
  new EngineThread({ file, name: 'producer', youngMegabytes: 48, data });
