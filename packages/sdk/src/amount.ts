import {
  amountHint,
  brandError,
  causeOf,
  errorToJson,
  parseAmount,
  withCode,
  type JsonObject,
  type JsonValue,
} from '@netd/protocol';
import { AMOUNTS } from './generated/tables.ts';

/** An amount as text with its unit. Plain numbers are unet. */
export type NetAmount = `${number} NET` | `${number}NET` | `${number} unet` | `${number}unet`;

/** An invalid amount. Nothing was signed. */
export class AmountError extends TypeError {
  override name = 'AmountError';
  /** Always AMOUNT_INVALID. */
  readonly code = 'AMOUNT_INVALID';
  /** JSON Pointer of the amount. */
  readonly path: string;
  /** The refused value as text. */
  readonly given: string;
  /** Facts of the error, by name. */
  readonly data: JsonObject;

  constructor(path: string, given: string) {
    const text = `${path} is not an amount: ${JSON.stringify(given)}. ${amountHint(null)}`;
    const code = 'AMOUNT_INVALID';
    const data = { path, given };
    super(withCode(text, code), { cause: causeOf(code, data) });
    this.data = data;
    brandError(this);
    this.path = path;
    this.given = given;
  }

  /** Returns the error for logs and other processes; `errorFrom` restores it. */
  toJSON(): JsonObject {
    return errorToJson(this);
  }
}

/** Members of a payload that are amounts. `true` marks an amount; a one-item list applies to every item. */
export type Amounts = true | readonly [Amounts] | { readonly [member: string]: Amounts };

/**
 * Converts amounts in words to unet. Whole numbers stay, also those that the chain refuses.
 * @throws AmountError
 */
export function inUnet(action: string, payload: JsonObject): JsonObject {
  const amounts = new Map<string, Amounts>(Object.entries(AMOUNTS)).get(action);
  return amounts === undefined ? payload : (converted(payload, amounts, '') as JsonObject);
}

function converted(value: JsonValue, amounts: Amounts, path: string): JsonValue {
  if (amounts === true) {
    if (typeof value === 'number' && !Number.isInteger(value)) {
      throw new AmountError(path, String(value));
    }
    if (typeof value !== 'string') return value;
    const unet = parseAmount(value, null);
    if (unet === null) throw new AmountError(path, value);
    return unet;
  }
  if (isList(amounts)) {
    if (!Array.isArray(value)) return value;
    return value.map((one, i) => converted(one, amounts[0], `${path}/${i}`));
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const whole = { ...value };
  for (const [name, inside] of Object.entries(amounts)) {
    const member = whole[name];
    if (member !== undefined) whole[name] = converted(member, inside, `${path}/${name}`);
  }
  return whole;
}

const isList = (amounts: Amounts): amounts is readonly [Amounts] => Array.isArray(amounts);
