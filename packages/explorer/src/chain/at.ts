import { useSearch } from '@tanstack/react-router';

/** Returns the height in the address; null for the newest. The shell refuses other values before a page renders. */
export function useAt(): number | null {
  const { at } = useSearch({ strict: false });
  return typeof at === 'number' ? at : null;
}
