/** The characters of the pictures' font, and how wide they are. */
import { readFileSync } from 'node:fs';

/** The wider one of two fonts with the same characters. */
const FILE = new URL('../../cards/Roboto-Bold.ttf', import.meta.url);

let read: ReadonlyMap<string, number> | undefined;

/** Returns the width of each character as a part of the font's size. */
export const advances = (): ReadonlyMap<string, number> =>
  (read ??= readAdvances(readFileSync(FILE)));

/** Reads the tables `cmap` (one of format 4), `head`, `hhea` and `hmtx` of OpenType. */
function readAdvances(font: Buffer): ReadonlyMap<string, number> {
  const tables = new Map<string, number>();
  for (let at = 12; at < 12 + font.readUInt16BE(4) * 16; at += 16) {
    tables.set(font.toString('latin1', at, at + 4), font.readUInt32BE(at + 8));
  }
  const at = (name: string): number => tables.get(name) ?? 0;
  const unitsOfSize = font.readUInt16BE(at('head') + 18);
  const lastMetric = font.readUInt16BE(at('hhea') + 34) - 1;
  const segments = at('cmap') + font.readUInt32BE(at('cmap') + 8) + 14;
  const length = font.readUInt16BE(segments - 8);
  const found = new Map<string, number>();
  for (let segment = segments; segment < segments + length; segment += 2) {
    const column = (index: number): number => segment + 2 + index * length;
    const first = font.readUInt16BE(column(1));
    const delta = font.readUInt16BE(column(2));
    const offset = font.readUInt16BE(column(3));
    for (let code = first; code <= font.readUInt16BE(segment); code++) {
      const place = column(3) + offset + 2 * (code - first);
      const named = offset === 0 ? code : font.readUInt16BE(place);
      const glyph = named === 0 ? 0 : (named + delta) % 65_536;
      if (glyph === 0) continue;
      const units = font.readUInt16BE(at('hmtx') + Math.min(glyph, lastMetric) * 4);
      found.set(String.fromCodePoint(code), units / unitsOfSize);
    }
  }
  return found;
}
