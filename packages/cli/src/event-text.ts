import { EVENT_MEMBERS, EVENT_OWN_MEMBERS } from '@netd/ledger';
import { isUnet, netText } from '@netd/protocol';
import { oneLine } from './printable.ts';

type Schemas = Readonly<Record<string, object | undefined>>;

export function eventFacts({ type, data }: { type: string; data: object }): string {
  const own = (EVENT_OWN_MEMBERS as Readonly<Record<string, Schemas | undefined>>)[type];
  const schemas: Schemas = { ...EVENT_MEMBERS, ...own };
  return Object.entries(data)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const schema = schemas[name];
      const isMoney = typeof value === 'number' && schema !== undefined && isUnet(schema);
      return `${name}=${isMoney ? netText(value).replace(' ', '') : short(value)}`;
    })
    .join(' ');
}

function short(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return oneLine(value.join(','), 80);
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[a-f0-9]{64}$/.test(text) ? `${text.slice(0, 8)}…` : oneLine(text, 80);
}
