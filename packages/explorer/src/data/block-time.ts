import { useQuery } from '@tanstack/react-query';
import { reading } from './client.ts';

/** Returns the shortest milliseconds between blocks. Followers may not know it. */
export function useBlockTime(): number {
  return useQuery(reading('/v1/network')).data?.blockTimeMs || 1_000;
}
