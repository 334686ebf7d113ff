import { useSearch } from '@tanstack/react-router';

/** Returns the height in the address, or the text in its place; undefined for the newest. */
export const useAddressedHeight = (): number | string | undefined =>
  useSearch({ from: '__root__' }).at;

/** Returns the height in the address; null for the newest. The shell refuses other values before a page renders. */
export function useAt(): number | null {
  const at = useAddressedHeight();
  return typeof at === 'number' ? at : null;
}
