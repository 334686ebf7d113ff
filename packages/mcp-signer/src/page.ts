/** Cuts answers to about 1,500 tokens. The budget assumes four bytes per token. */
import { utf8Bytes } from '@netd/protocol';
import { SignerError } from './signer-error.ts';

export const PAGE_BYTES = 4_000;
/** Bytes of a row besides strangers' texts: ids, amounts, member names. */
const ROW_FRAME = 250;
const LEAST_ROW = 120;

export interface TextPage {
  text: string;
  nextOffset: number | null;
}

/** The prefix distinguishes these cursors from those of a node's lists. */
const AT = /^at:(0|[1-9]\d{0,8})$/;

export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = AT.exec(cursor)?.[1];
  if (offset === undefined) {
    throw new SignerError('ARGUMENTS_INVALID', '/cursor is none of this text: take its nextCursor');
  }
  return Number(offset);
}

export function cursorAt(offset: number | null): string | null {
  return offset === null ? null : `at:${offset}`;
}

/** Returns a part of at most `most` bytes of JSON. Never splits a character. */
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

export function cutText(text: string, most: number): string {
  const { text: part, nextOffset } = textPage(text, 0, most);
  return nextOffset === null ? part : `${part} … (${text.length} characters)`;
}

/** Returns the bytes per row that let all rows fit into one answer. */
export function rowBytes(rows: number): number {
  return Math.max(LEAST_ROW, Math.floor(PAGE_BYTES / Math.max(1, rows)) - ROW_FRAME);
}

/** Cuts the texts and lists of a row to `most` bytes in total. Earlier members get space first. */
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

export function valuePage(
  value: unknown,
  offset = 0,
): { value: unknown; nextOffset: null } | { json: string; nextOffset: number | null } {
  const json = JSON.stringify(value);
  if (offset === 0 && textPage(json).nextOffset === null) return { value, nextOffset: null };
  const { text, nextOffset } = textPage(json, offset);
  return { json: text, nextOffset };
}

export function firstFew(texts: readonly string[]): string[] {
  let bytes = 0;
  const beyond = texts.findIndex((text, index) => {
    bytes += utf8Bytes(JSON.stringify(text)).length + 1;
    return index > 0 && bytes > PAGE_BYTES;
  });
  return beyond < 0 ? [...texts] : texts.slice(0, beyond);
}
