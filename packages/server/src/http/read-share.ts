/** Whose turn a large read is, where the library of a protocol stands between the request and the read. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { addressShare } from '@netd/client-limits';

const asking = new AsyncLocalStorage<string>();

/** Counts the large reads of `work`, and of all that it begins, as those of an address. */
export const inTurnOf = (ip: string, work: () => void): void => asking.run(addressShare(ip), work);

/** The address that is being answered; of what the node reads for itself, none. */
export const readShare = (): string => asking.getStore() ?? '';
