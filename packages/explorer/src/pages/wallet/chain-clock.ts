import { useQuery } from '@tanstack/react-query';
import { reading } from '../../data/client.ts';

export function useBlockTime(): number {
  return useQuery(reading('/v1/network')).data?.blockTimeMs ?? 1_000;
}
