/**
 * Faces: a picture for each id that is the same in every browser, told apart at a glance. What is drawn follows from the id alone,
 * so that it can be drawn before anything is known of the agent; it proves nothing.
 */

export interface Face {
  /** Hues of the ground and of the shapes, in degrees. */
  hue: number;
  second: number;
  /** Which cells are filled, row by row, of a grid of five by five that is symmetric left and right. */
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
  // An empty face is none.
  return { hue, second, cells: cells.some(Boolean) ? cells : cells.map(() => true) };
}

/** The filled cells as the path of an SVG, in a box of seven by seven with a margin of one. */
export function facePath({ cells }: Face): string {
  return cells
    .map((filled, at) => (filled ? `M${1 + (at % SIDE)} ${1 + Math.floor(at / SIDE)}h1v1h-1z` : ''))
    .join('');
}

/** FNV-1a to begin with, xorshift from there: spread out enough for pictures, and nothing but pictures. */
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
