/** Determines from the form of a text which kinds of things it may name. */

export type Target =
  | { kind: 'agent'; id: string }
  | { kind: 'order'; id: string }
  | { kind: 'token'; id: string }
  | { kind: 'block'; height: number }
  | { kind: 'transition'; hash: string }
  /** The hash of a block, or of its certificate. */
  | { kind: 'certified'; hash: string };

const HASH = /^[a-f0-9]{64}$/;
const AGENT = /^[A-Za-z0-9][A-Za-z0-9._-]{1,63}$/;
const TOKEN = /^tok-[a-z0-9][a-z0-9-]{2,40}$/;
const HEIGHT = /^#?(0|[1-9][0-9]{0,14})$/;

export function targetsOf(text: string): Target[] {
  const typed = text.trim();
  const height = HEIGHT.exec(typed.replaceAll(',', ''))?.[1];
  if (height !== undefined) return [{ kind: 'block', height: Number(height) }];
  const hash = typed.toLowerCase().replace(/^0x/, '');
  if (HASH.test(hash)) {
    return [
      { kind: 'transition', hash },
      { kind: 'certified', hash },
    ];
  }
  if (TOKEN.test(typed)) return [{ kind: 'token', id: typed }];
  if (!AGENT.test(typed)) return [];
  return [
    { kind: 'agent', id: typed },
    { kind: 'order', id: typed },
  ];
}
