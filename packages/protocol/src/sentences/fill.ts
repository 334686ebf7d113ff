/**
 * Sentences with placeholders. `{workerId}` and `{paid:net}` name a member and, unless its name says it, its
 * form. `[, to {agentId}]` is left out if a member in it is missing; in `[{agentId}|any agent]` the text
 * after the line takes its place.
 */
import { netText } from '../amount.ts';

export type Part =
  | string
  | { kind: 'actor' | 'order' | 'token'; id: string }
  | { kind: 'said'; text: string }
  | { kind: 'net'; unet: number }
  | { kind: 'units'; units: number; tokenId: string }
  | { kind: 'hash'; hash: string };

export type Data = Readonly<Record<string, unknown>>;

export const VALUE_WORDS = {
  vote: { ACCEPT: 'accepted', REJECT: 'rejected', UNJUDGEABLE: 'abstained, could not be judged' },
  outcome: { PAID: 'the worker is paid', REJECTED: 'dispute upheld, requester refunded' },
  unjudged: {
    NO_JURY: 'The order has no jury',
    UNVERIFIED: 'Jury unavailable: no verifier voted',
    VERIFICATION_TIMEOUT: 'Jury unavailable: too few verifiers voted in time',
    SCOPE_UNJUDGEABLE: 'The jury could not judge the result by its scope',
  },
  receipt: { DELIVERED: 'read', REJECTED: 'rejected' },
} as const;

/** Returns `RELEASE_CANDIDATE`, `WorkOrderPaid` or `acceptWork` in words. */
export function words(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

export function fill(sentence: string, data: Data, most = Infinity): Part[] {
  const isGiven = (place: string): boolean => {
    const value = data[place.split(':')[0] ?? ''];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
  };
  return sentence
    .replaceAll(/\[([^|\]]*)\|?([^\]]*)\]/g, (_, first: string, other: string) =>
      placeholdersIn(first).every(isGiven) ? first : other,
    )
    .split(/\{(.+?)\}/)
    .flatMap((piece, at) => (at % 2 === 0 ? piece : partsOf(piece, data, most)))
    .filter((part) => part !== '');
}

export function placeholdersIn(sentence: string): string[] {
  return [...sentence.matchAll(/\{(.+?)\}/g)].map(([, place = '']) => place);
}

function partsOf(place: string, data: Data, most: number): Part[] {
  const [name = '', form = formOf(name)] = place.split(':');
  const value = data[name];
  if (form === 'if') return [];
  if (form === 'units')
    return [{ kind: 'units', units: Number(value), tokenId: String(data['tokenId']) }];
  if (!Array.isArray(value)) return [partOf(form, value)];
  if (form === 'count') return [String(value.length)];
  const shown = value
    .slice(0, most)
    .flatMap((one, at) => [at === 0 ? '' : ', ', partOf(form, one)]);
  return value.length > most ? [...shown, ` and ${value.length - most} more`] : shown;
}

function formOf(name: string): string {
  if (name === 'orderId') return 'order';
  if (name === 'tokenId') return 'token';
  return /Ids?$|By$/.test(name) ? 'actor' : 'words';
}

/** True for an actor or a list of actors, also if only their number is shown. */
export function isActor(place: string): boolean {
  const [name = '', form] = place.split(':');
  return form === 'actor' || formOf(name) === 'actor';
}

function partOf(form: string, value: unknown): Part {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  switch (form) {
    case 'actor':
      return typeof value === 'string' ? { kind: 'actor', id: value } : 'someone';
    case 'order':
    case 'token':
      return { kind: form, id: text };
    case 'net':
      return { kind: 'net', unet: Number(value) };
    case 'said':
      return { kind: 'said', text };
    case 'text':
      return text;
    default: {
      const own: Data = VALUE_WORDS[form as keyof typeof VALUE_WORDS] ?? {};
      return Object.hasOwn(own, text) ? String(own[text]) : words(text);
    }
  }
}

export function plainText(parts: readonly Part[], show = (text: string): string => text): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      switch (part.kind) {
        case 'net':
          return netText(part.unet);
        case 'units':
          return `${part.units} smallest units`;
        case 'said':
          return show(part.text);
        case 'hash':
          return part.hash;
        default:
          return show(part.id);
      }
    })
    .join('');
}
