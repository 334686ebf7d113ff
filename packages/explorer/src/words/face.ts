/** A picture that depends only on the id. It proves nothing. */

export interface Face {
  hue: number;
  second: number;
  /** Five rows of five, symmetric left and right. */
  cells: readonly boolean[];
}

const SIDE = 5;
const HALF = 3;

export function faceOf(id: string): Face {
  const next = stream(id);
  const hue = next() % 360;
  const second = (hue + 110 + (next() % 140)) % 360;
  const half = Array.from({ length: SIDE * HALF }, () => next() % 100 < 52);
  const cells = Array.from({ length: SIDE * SIDE }, (_, at) => {
    const [row, column] = [Math.floor(at / SIDE), at % SIDE];
    return half[row * HALF + Math.min(column, SIDE - 1 - column)] ?? false;
  });
  return { hue, second, cells: cells.some(Boolean) ? cells : cells.map(() => true) };
}

/** Returns an SVG path, seven by seven with a margin of one. */
export function facePath({ cells }: Face): string {
  return cells
    .map((filled, at) => (filled ? `M${1 + (at % SIDE)} ${1 + Math.floor(at / SIDE)}h1v1h-1z` : ''))
    .join('');
}

/** Returns pseudorandom numbers (FNV-1a, then xorshift), good enough only for pictures. */
function stream(id: string): () => number {
  let state = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) {
    state = Math.imul(state ^ id.charCodeAt(at), 0x01000193) >>> 0;
  }
  state ||= 1;
  return () => {
    state = (state ^ (state << 13)) >>> 0;
    state = (state ^ (state >>> 17)) >>> 0;
    state = (state ^ (state << 5)) >>> 0;
    return state >>> 4;
  };
}
