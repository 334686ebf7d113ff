/** Passes the requesting address to large reads, past the library of a protocol. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { addressShare } from '@netd/client-limits';

const asking = new AsyncLocalStorage<string>();

/** Runs work whose large reads count for an address. */
export const inTurnOf = (ip: string, work: () => void): void => asking.run(addressShare(ip), work);

/** Returns the address being answered; '' for the node's own reads. */
export const readShare = (): string => asking.getStore() ?? '';
