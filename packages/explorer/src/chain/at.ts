import { useSearch } from '@tanstack/react-router';

/** Returns the height in the address; null for the newest. The shell refuses others before a page asks. */
export function useAt(): number | null {
  const { at } = useSearch({ strict: false });
  return typeof at === 'number' ? at : null;
}
