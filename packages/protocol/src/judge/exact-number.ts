/** JSON numbers as exact decimals of bounded length. Keep equal to `netsdk/formats/exact_number.py`. */

/** Limit of a number's digits, and of its exponent. */
export const MAX_NUMBER_DIGITS = 400;

/** A safe integer is always a number, never a `Decimal`, so equal numbers have one form. */
export type ExactNumber = number | Decimal;

export class Decimal {
  readonly isNegative: boolean;
  /** Digits without zeros at either end; '' for zero. */
  readonly digits: string;
  /** Power of ten of the last digit. */
  readonly exponent: number;
  private magnitude: bigint | null = null;

  constructor(isNegative: boolean, digits: string, exponent: number) {
    this.isNegative = isNegative;
    this.digits = digits;
    this.exponent = exponent;
  }

  get key(): string {
    return `${this.isNegative ? '-' : ''}${this.digits}e${this.exponent}`;
  }

  /** The magnitude of a whole number. Computed once, because a schema may ask for it a million times. */
  get whole(): bigint {
    return (this.magnitude ??= BigInt(this.digits + '0'.repeat(this.exponent)));
  }
}

/** Returns null if the number is too long. */
export function exactNumber(text: string): ExactNumber | null {
  const decimal = decimalOf(text);
  if (decimal === null || decimal.exponent < 0) return decimal;
  const { isNegative, digits, exponent } = decimal;
  if (digits.length + exponent > 16) return decimal;
  const value = Number((isNegative ? '-' : '') + (digits || '0') + '0'.repeat(exponent));
  return Number.isSafeInteger(value) ? value + 0 : decimal;
}

function decimalOf(text: string): Decimal | null {
  const isNegative = text.startsWith('-');
  const [mantissa = '', power = '0'] = text.slice(Number(isNegative)).split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  if (all.length > MAX_NUMBER_DIGITS || power.length > 4) return null;
  if (Math.abs(Number(power)) > MAX_NUMBER_DIGITS) return null;
  let [from, to] = [0, all.length];
  while (to > 0 && all[to - 1] === '0') to--;
  while (from < to && all[from] === '0') from++;
  if (from === to) return new Decimal(false, '', 0);
  const exponent = Number(power) - fraction.length + all.length - to;
  return new Decimal(isNegative, all.slice(from, to), exponent);
}

const asDecimal = (value: ExactNumber): Decimal =>
  value instanceof Decimal ? value : (decimalOf(String(value)) ?? new Decimal(false, '', 0));

export function compareNumbers(a: ExactNumber, b: ExactNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [asDecimal(a), asDecimal(b)];
  const sign = (decimal: Decimal): number =>
    decimal.digits === '' ? 0 : decimal.isNegative ? -1 : 1;
  if (sign(one) !== sign(other) || sign(one) === 0) return sign(one) - sign(other);
  const difference =
    one.digits.length + one.exponent - other.digits.length - other.exponent ||
    (one.digits < other.digits ? -1 : one.digits > other.digits ? 1 : 0);
  return sign(one) * difference;
}

export const isWhole = (value: ExactNumber): boolean =>
  typeof value === 'number' || value.exponent >= 0;

export function isMultipleOf(value: ExactNumber, divisor: number): boolean {
  if (typeof value === 'number') return value % divisor === 0;
  if (!isWhole(value)) return false;
  return value.whole % BigInt(divisor) === 0n;
}
