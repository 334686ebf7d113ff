import { AsyncLocalStorage } from 'node:async_hooks';
import { addressShare } from '@netd/client-limits';

const asking = new AsyncLocalStorage<string>();

export const inTurnOf = (ip: string, work: () => void): void => asking.run(addressShare(ip), work);

/** Returns '' for the node's own reads. */
export const readShare = (): string => asking.getStore() ?? '';
