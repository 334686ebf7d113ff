import { visibleLine } from '../words/strangers.ts';

/** Isolates a text, and shows its invisible characters. */
export function Said({ text }: { text: string }) {
  return <bdi>{visibleLine(text)}</bdi>;
}
