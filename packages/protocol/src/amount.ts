import type { JsonValue } from './canonical-json.ts';
import { UNET_PER_NET } from './limits.ts';
import { isUnet } from './schemas.ts';

export type AmountUnit = 'NET' | 'unet';

const DECIMALS = 6;

// Name each blank, because `\s` and trim() differ between JavaScript and Python.
const AMOUNT = /^[ \t\r\n]*(\d+)(?:\.(\d+))?[ \t]*(net|unet)?[ \t\r\n]*$/i;

/**
 * Returns unet; null if the text is no amount, no whole number of unet, or too large. Accepts ASCII digits
 * with at most one point. Rejects commas: `1,5` is 1.5 to some readers and 15 to others.
 * @param bareUnit the unit of a bare number; null if the text must name its unit
 */
export function parseAmount(text: string, bareUnit: AmountUnit | null): number | null {
  const match = AMOUNT.exec(text);
  const unit = match?.[3]?.toLowerCase() ?? bareUnit?.toLowerCase();
  if (!match || unit === undefined) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > (unit === 'net' ? DECIMALS : 0)) return null;
  const unet =
    unit === 'net'
      ? Number(whole) * UNET_PER_NET + Number(fraction.padEnd(DECIMALS, '0'))
      : Number(whole);
  return Number.isSafeInteger(unet) ? unet : null;
}

export function amountHint(bareUnit: AmountUnit | null): string {
  const examples =
    bareUnit === 'NET'
      ? '5 or 0.25 for NET, or 250000 unet'
      : bareUnit === 'unet'
        ? '5NET or 0.25NET, or 250000 for unet'
        : "'5 NET', '0.25 NET' or '250000 unet'";
  return `Write ${examples}: digits, one point, at most six decimals, no commas.`;
}

/** Prints all digits without grouping, so that `parseAmount` reads them back. */
export function netText(unet: number): string {
  // Division would round beyond 2^53 / 10.
  const digits = String(Math.abs(unet)).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${unet < 0 ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction && `.${fraction}`} NET`;
}

interface Described {
  type?: unknown;
  title?: unknown;
  description?: string;
  anyOf?: readonly Described[];
  items?: Described;
  properties?: Readonly<Record<string, Described>>;
}

export function amountsIn(
  schema: Described,
  value: JsonValue,
  name = '',
): { name: string; unet: number }[] {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null');
  const { description } = schema;
  const rules = inner ? { ...inner, ...(description ? { description } : {}) } : schema;
  if (typeof value === 'number') return isUnet(rules) ? [{ name, unet: value }] : [];
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((one) => amountsIn(rules.items ?? {}, one, name));
  return Object.entries(value).flatMap(([member, one]) =>
    amountsIn(rules.properties?.[member] ?? {}, one, member),
  );
}
