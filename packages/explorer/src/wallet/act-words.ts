/** Describes an act from its schema and bytes, without trusting the node. */
import { amountsIn, isUnet, type JsonObject, type JsonValue } from '@netd/protocol';
import { ACTION_SENTENCES, describeAction, type Part } from '@netd/protocol/sentences';
import type { ActionName } from '@netd/sdk/core';
import { blocksWords } from '../words/time.ts';
import { capitalized, words } from '../words/ids.ts';
import { visibleJson } from '../words/strangers.ts';
import { actionOf, withoutNull, type Schema } from './actions.ts';

export interface ActWords {
  sentence: Part[];
  facts: FactLine[];
  /** Losses and irreversible effects for the signer. */
  stakes: Part[][];
}

export interface FactLine {
  name: string;
  parts: Part[];
  /** True if the schema lacks the member, which is then shown raw. */
  isUnknown: boolean;
}

export interface ChainClock {
  height: number;
  blockTimeMs: number;
}

const actor = (id: string): Part => ({ kind: 'actor', id });
const net = (unet: number): Part => ({ kind: 'net', unet });

/** This does not compile if an action has no sentence. */
const isSaid = (action: string): action is ActionName => Object.hasOwn(ACTION_SENTENCES, action);

export function describeIntent(
  { action, payload }: { action: string; payload: JsonObject },
  clock: ChainClock,
): ActWords {
  const spec = actionOf(action);
  const { does, means } = isSaid(action)
    ? describeAction(action, payload)
    : { does: [`You do “${action}”, which this wallet does not know.`], means: [] };
  const shown = new Set([does, ...means].flat().map(unetOfPart));
  const amounts = amountsIn(spec?.payload ?? {}, payload);
  return {
    sentence: does,
    facts: spec
      ? factsOf(spec.payload, payload, clock)
      : Object.entries(payload).map(([name, value]) => unknown(name, value)),
    stakes: [
      ...means,
      ...amounts
        .filter(({ unet }) => !shown.has(unet))
        .map(({ name, unet }) => [`${capitalized(words(name))}: `, net(unet), '.']),
    ],
  };
}

const unetOfPart = (part: Part): number | null =>
  typeof part === 'object' && part.kind === 'net' ? part.unet : null;

/** Returns a line for each member. Unknown members are shown raw and marked. */
export function factsOf(
  schema: Schema,
  value: Readonly<Record<string, JsonValue>>,
  clock: ChainClock,
  within = '',
): FactLine[] {
  return Object.entries(value).flatMap(([member, one]) => {
    const properties = schema.properties ?? {};
    const known = Object.hasOwn(properties, member) ? properties[member] : undefined;
    const name = `${within}${within === '' ? capitalized(words(member)) : words(member)}`;
    if (!known) return [unknown(name, one)];
    const inner = withoutNull(known);
    if (inner.properties && typeof one === 'object' && one !== null && !Array.isArray(one)) {
      return factsOf(inner, one, clock, `${name}, `);
    }
    return [{ name, parts: partsOf(inner, one, clock), isUnknown: false }];
  });
}

const unknown = (name: string, value: JsonValue): FactLine => ({
  name,
  parts: [visibleJson(value)],
  isUnknown: true,
});

function partsOf(schema: Schema, value: JsonValue, clock: ChainClock): Part[] {
  if (value === null) return ['none'];
  const { title, enum: names } = schema;
  if (typeof value === 'number') {
    if (isUnet(schema)) return [net(value)];
    if (title === 'Height') return [heightText(value, clock)];
    return [value.toLocaleString('en')];
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return ['none'];
    return value.flatMap((one, at) => [
      ...(at === 0 ? [] : [', ']),
      ...partsOf(schema.items ?? {}, one, clock),
    ]);
  }
  if (typeof value === 'object') return [visibleJson(value)];
  const text = String(value);
  if (title === 'ActorId') return [actor(text)];
  if (title === 'Hash') return [{ kind: 'hash', hash: text }];
  if (names) return [words(text)];
  return [{ kind: 'said', text }];
}

function heightText(height: number, { height: now, blockTimeMs }: ChainClock): string {
  const left = height - now;
  if (left <= 0) return `height ${height.toLocaleString('en')}, which has passed`;
  return `height ${height.toLocaleString('en')}, in ${blocksWords(left, blockTimeMs)}`;
}
