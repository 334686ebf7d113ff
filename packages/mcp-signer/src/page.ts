/**
 * Answers in parts that a model can afford: about 1,500 tokens, by the rule of thumb of four bytes each. What is longer is cut, and says
 * where it goes on.
 */
import { utf8Bytes } from '@netd/protocol';
import { SignerError } from './signer-error.ts';

/** Bytes of JSON that an answer has for content, where nothing else was asked for. */
export const PAGE_BYTES = 4_000;
/** Bytes that a row has beside what others wrote: ids, amounts, names of members. */
const ROW_FRAME = 250;
/** Below that nothing can be recognized. */
const LEAST_ROW = 120;

export interface TextPage {
  text: string;
  /** The offset at which the rest begins; null at the end. */
  nextOffset: number | null;
}

/** Cursors into texts; those of lists are the node's, and begin otherwise. */
const AT = /^at:(0|[1-9]\d{0,8})$/;

/** The offset that a cursor names. @throws SignerError ARGUMENTS_INVALID for a cursor that no text has answered */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = AT.exec(cursor)?.[1];
  if (offset === undefined) {
    throw new SignerError('ARGUMENTS_INVALID', '/cursor is none of this text: take its nextCursor');
  }
  return Number(offset);
}

/** The cursor with which to go on in a text; null at its end. */
export function cursorAt(offset: number | null): string | null {
  return offset === null ? null : `at:${offset}`;
}

/** The part of a text that begins at an offset, as long as its JSON fits; no character is halved. */
export function textPage(text: string, offset = 0, most = PAGE_BYTES): TextPage {
  let bytes = 0;
  let end = Math.min(offset, text.length);
  while (end < text.length) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
    bytes += utf8Bytes(JSON.stringify(character)).length - 2;
    if (bytes > most) return { text: text.slice(offset, end), nextOffset: end };
    end += character.length;
  }
  return { text: text.slice(offset, end), nextOffset: null };
}

/** A text, or as much as fits and how long it was. */
export function cutText(text: string, most: number): string {
  const { text: part, nextOffset } = textPage(text, 0, most);
  return nextOffset === null ? part : `${part} … (${text.length} characters)`;
}

/** Bytes that a row of a list may take, so that all rows fit into one answer. */
export function rowBytes(rows: number): number {
  return Math.max(LEAST_ROW, Math.floor(PAGE_BYTES / Math.max(1, rows)) - ROW_FRAME);
}

/** Members of a row, its texts and lists of texts cut, in their order, to what it may take in all. */
export function cutRow(
  row: Readonly<Record<string, string | readonly string[]>>,
  most: number,
): object {
  let left = most;
  const cost = (value: unknown): number => utf8Bytes(JSON.stringify(value)).length;
  const members = Object.entries(row).map(([name, value]) => {
    let cut: string | string[];
    if (typeof value === 'string') cut = cutText(value, Math.max(0, left));
    else {
      cut = [];
      for (const [index, one] of value.entries()) {
        if (cost(one) > left) {
          cut.push(`… ${value.length - index} more`);
          break;
        }
        left -= cost(one);
        cut.push(one);
      }
    }
    if (typeof cut === 'string') left -= cost(cut);
    return [name, cut] as const;
  });
  return Object.fromEntries(members);
}

/** A value that is small, as it is; of any other a part of its JSON. */
export function valuePage(
  value: unknown,
  offset = 0,
): { value: unknown; nextOffset: null } | { json: string; nextOffset: number | null } {
  const json = JSON.stringify(value);
  if (offset === 0 && textPage(json).nextOffset === null) return { value, nextOffset: null };
  const { text, nextOffset } = textPage(json, offset);
  return { json: text, nextOffset };
}

/** As many texts from the beginning as one answer has room for, at least one. */
export function firstFew(texts: readonly string[]): string[] {
  let bytes = 0;
  const beyond = texts.findIndex((text, index) => {
    bytes += utf8Bytes(JSON.stringify(text)).length + 1;
    return index > 0 && bytes > PAGE_BYTES;
  });
  return beyond < 0 ? [...texts] : texts.slice(0, beyond);
}
