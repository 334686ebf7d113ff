import { join } from 'node:path';
import type { ValidatorDir } from '@netd/node';
import type { FromHouse, StartHouse } from '@netd/house';
import type { BlobsFacts, FromBlobs, StartBlobs } from './blobs-process.ts';
import { CommandError } from '../command-error.ts';
import type { Logger } from 'pino';
import type { LogOptions } from '../error-log.ts';
import { ensureStaff } from './house-keys.ts';
import { HouseOperator } from './operator.ts';
import { SupervisedChild } from './supervised-child.ts';

export interface HouseOptions {
  dataDir: Pick<ValidatorDir, 'path' | 'operatorKeyPath'> & {
    genesis: { chainId: string; fork?: object | undefined };
  };
  url: string;
  port: number;
  trustedStores?: readonly string[];
  forkFrom?: string;
  probe?: string;
  logOptions: LogOptions;
  log: Logger;
  onBlobs: (services: BlobsFacts[]) => void;
  say: (text: string) => void;
}

export interface RunningHouse {
  stop: () => Promise<void>;
}

export async function startHouse(options: HouseOptions): Promise<RunningHouse> {
  const {
    dataDir,
    url,
    port,
    trustedStores = [],
    forkFrom,
    probe,
    logOptions,
    log,
    onBlobs,
    say,
  } = options;
  const staff = ensureStaff(dataDir.path, dataDir.genesis.chainId, probe);
  const isFork = dataDir.genesis.fork !== undefined;
  const operator = new HouseOperator(url, dataDir.operatorKeyPath, staff, isFork);
  const taken = await operator.holdNames();
  if (taken !== null) {
    throw new CommandError(
      `${taken} on this chain is not an agent of this house, so the house stays away. If its keys were lost, put ${join(dataDir.path, 'house')} back from a backup; netd dev --house none goes on without, and a new --data-dir begins with one.`,
      'NAME_TAKEN',
    );
  }
  let agents: SupervisedChild<FromHouse> | null = null;
  let failure: string | null = null;
  let stopped = false;

  const complain = (text: string): void => {
    log.warn(text);
    say(text);
  };
  const hear = (message: FromHouse): void => {
    const tellOf = async (done: Promise<string | null>): Promise<void> => {
      const fault = await done;
      if (fault !== null && !stopped) say(fault);
    };
    switch (message.kind) {
      case 'applied':
        void tellOf(operator.approve(message.applicationId, message.independenceGroup));
        break;
      case 'answer':
        void tellOf(operator.publish(message.orderId, message.answer));
        break;
      case 'short':
        void tellOf(operator.pay(message.actorId, message.needs));
        break;
      case 'say':
        say(message.text);
        break;
      case 'ready':
        break;
      default:
        message satisfies never;
    }
  };

  const blobs = new SupervisedChild<FromBlobs>({
    entry: new URL('./blobs-process.ts', import.meta.url),
    start: {
      nodeUrl: url,
      logOptions,
      services: staff.keepers.map(({ actorId }, i) => ({
        providerId: actorId,
        dataDir: join(dataDir.path, `blobs-${i + 1}`),
        port: port === 0 ? 0 : port + 1 + i,
      })),
      trustedStores,
      ...(isFork && forkFrom !== undefined ? { forkFrom } : {}),
    } satisfies StartBlobs,
    onMessage: (message) => {
      if (message.kind === 'failed') {
        failure = message.reason;
        return;
      }
      if (message.kind === 'copied') {
        const { sentence, isComplete } = message.report;
        if (sentence !== null) (isComplete ? say : complain)(sentence);
        return;
      }
      failure = null;
      onBlobs(message.services);
      agents ??= new SupervisedChild<FromHouse>({
        entry: new URL(import.meta.resolve('@netd/house/process')),
        start: {
          kind: 'start',
          url,
          staff,
          trustedStores,
          places: message.services.map(({ providerId, url: origin, httpsUrl }) => ({
            providerId,
            url: origin,
            httpsUrl,
          })),
        } satisfies StartHouse,
        onMessage: hear,
        onDeath: (reason, wait) =>
          complain(`the house has died (${reason}) and starts again in ${wait / 1_000} s`),
        onError: (text) => log.error({ process: 'house' }, text),
      });
    },
    onDeath: (reason, wait) =>
      complain(`no blobs are kept: ${failure ?? `died by ${reason}`}; again in ${wait / 1_000} s`),
  });
  return {
    stop: async () => {
      stopped = true;
      await agents?.stop();
      await blobs.stop();
    },
  };
}
