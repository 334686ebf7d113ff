/**
 * Alters verified answers, one thing at a time. Readers must notice each lie. New members of proofs,
 * certificates, headers and lists need a lie here.
 */

import { hashValue } from '../hash.ts';

/** The readers that must notice the lie. */
export type LieReader = 'state' | 'absence' | 'transition' | 'audit' | 'replay';

export interface Lie {
  /** As `document: member`. */
  name: string;
  /** The document's path. */
  path: string;
  readers: readonly LieReader[];
  alter(document: Json): unknown;
}

// Documents of any shape, as they come over the wire.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const OTHER_HASH = 'ab'.repeat(32);

/** Same type, another value. */
function otherThan(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      if (/^[a-f0-9]{64}$/.test(value)) return OTHER_HASH;
      return value.startsWith('2') ? value.replace(/^2/, '3') : `${value}x`;
    case 'number':
      return value + 1;
    case 'boolean':
      return !value;
    default:
      return 'x';
  }
}

/** One lie per scalar, and a shorter, a longer and a reversed list. */
function everyMember(
  sample: Json,
  document: string,
  at: string,
  place: Pick<Lie, 'path' | 'readers'>,
): Lie[] {
  const lies: Lie[] = [];
  const add = (what: string, keys: readonly (string | number)[], edit: (value: Json) => unknown) =>
    lies.push({
      ...place,
      name: `${document}: ${keys.join('.')} ${what}`,
      alter: (original) => {
        const copy: Json = structuredClone(original);
        const holder: Json = keys.slice(0, -1).reduce((inner: Json, key) => inner?.[key], copy);
        const last = keys.at(-1);
        if (holder === undefined || holder === null || last === undefined) return copy;
        holder[last] = edit(holder[last]);
        return copy;
      },
    });
  const walk = (value: Json, keys: readonly (string | number)[]): void => {
    if (Array.isArray(value)) {
      add('one more', keys, (list) => [...list, list.at(-1) ?? OTHER_HASH]);
      if (value.length > 0) add('one less', keys, (list) => list.slice(0, -1));
      if (value.length > 1) add('turned', keys, (list) => list.toReversed());
      for (const [index, one] of value.slice(0, 2).entries()) walk(one, [...keys, index]);
    } else if (value !== null && typeof value === 'object') {
      for (const key of Object.keys(value)) walk(value[key], [...keys, key]);
    } else {
      add('altered', keys, otherThan);
    }
  };
  walk(sample[at], [at]);
  return lies;
}

/** Honest answers. */
export interface Samples {
  stateProof: Json;
  absenceProof: Json;
  transition: Json;
  block: Json;
  /** The blocks of the audit, in one answer. */
  blocks: Json;
  audit: Json;
  genesis: Json;
}

function of(
  sample: Json,
  document: string,
  members: readonly string[],
  place: Pick<Lie, 'path' | 'readers'>,
): Lie[] {
  return members.flatMap((member) => everyMember(sample, document, member, place));
}

/** Replays must notice these. */
export function liesAboutBlock(block: Json): Lie[] {
  return of(block, 'block', ['header', 'certificate', 'transitions', 'events'], {
    path: `/v1/blocks/${block.header.height}`,
    readers: ['replay'],
  });
}

/** Members of blocks that the proof of an order needs. The rest is for those who replay. */
const IN_AUDITED_BLOCK = /\.(header|certificate|events|transitions(\.\d+\.transitionHash| one))\b/;

/** Readers of several blocks must notice these. A shorter answer is no lie. */
function liesAboutBlocks(blocks: Json): Lie[] {
  const place = { path: '/v1/blocks/whole', readers: ['audit'] } as const;
  const lies = of(blocks, 'blocks', ['blocks'], place);
  return [
    ...lies.filter(
      ({ name }) => IN_AUDITED_BLOCK.test(name) || /: blocks (one more|turned)$/.test(name),
    ),
    ...[
      ['none', () => []],
      ['the first twice', ([first]: Json[]) => [first, first]],
      ['not the first', ([, ...rest]: Json[]) => rest],
      ['no list', ([first]: Json[]) => ({ first })],
      ['no blocks', (list: Json[]) => list.map(() => null)],
    ].map(([what, edit]) => ({
      ...place,
      name: `blocks: ${String(what)}`,
      alter: (document: Json) => ({
        ...document,
        blocks: (edit as (list: Json) => Json)(document.blocks),
      }),
    })),
  ];
}

/** All lies. */
export function liesAbout(samples: Samples): Lie[] {
  const state = { path: '/v1/state/proof', readers: ['state'] } as const;
  const absence = { path: '/v1/state/proof', readers: ['absence'] } as const;
  const transition = { path: '/v1/transitions/', readers: ['transition'] } as const;
  const genesis = { path: '/v1/genesis', readers: ['state'] } as const;
  const audit = { path: '/v1/work-orders/', readers: ['audit'] } as const;
  const [event] = samples.audit.timeline.events;
  /** Recomputes the fingerprint, as a liar would. */
  const inAudit = (lie: Lie): Lie => ({
    ...lie,
    alter: ({ reportHash: _, ...document }) => {
      const [first, ...others] = document.timeline.events;
      const events = [lie.alter(first), ...others];
      const told = { ...document, timeline: { ...document.timeline, events } };
      return { ...told, reportHash: hashValue(told) };
    },
  });
  return [
    ...of(
      samples.stateProof,
      'state proof',
      ['key', 'height', 'value', 'leaf', 'siblings', 'certificate'],
      state,
    ),
    ...of(
      samples.absenceProof,
      'absence proof',
      ['key', 'height', 'leaf', 'siblings', 'certificate'],
      absence,
    ),
    ...of(
      samples.transition,
      'transition',
      ['envelope', 'receipt', 'proof', 'certificate'],
      transition,
    ),
    ...liesAboutBlock(samples.block),
    ...liesAboutBlocks(samples.blocks),
    ...of(
      event,
      'audit event',
      Object.keys(event).filter((member) => member !== 'links'),
      audit,
    ).map(inAudit),
    ...of(samples.genesis, 'genesis', Object.keys(samples.genesis), genesis),
  ];
}
