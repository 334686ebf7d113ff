import { useQuery } from '@tanstack/react-query';
import { reading } from './client.ts';

/** Returns the shortest milliseconds between blocks; 1,000 if the node, such as a follower, does not know. */
export function useBlockTime(): number {
  return useQuery(reading('/v1/network')).data?.blockTimeMs || 1_000;
}
