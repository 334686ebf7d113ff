/** The height in an address, `?at=HEIGHT`. */
import { visibleLine } from './strangers.ts';

const LONGEST = 40;

/**
 * Returns the height. Returns other texts shortened, so that the page can refuse them; undefined if there is none.
 * @param value as the router parsed it, or as someone typed it
 */
export function addressedHeight(value: unknown): number | string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const digits = text.replaceAll(/^#|[,\s]/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : text.slice(0, LONGEST);
}

/** Returns why no page can show this height; null if one can. */
export function heightFault(at: number | string, newest: number): string | null {
  if (typeof at === 'string')
    return `“${visibleLine(at)}” is not a height. Write a whole number, such as 120.`;
  return at > newest ? 'This block does not exist yet.' : null;
}
