/** JSON numbers as exact decimals of bounded length. Keep equal to `netsdk/formats/exact_number.py`. */

/** Limit of a number's digits, and of its exponent. */
export const MAX_NUMBER_DIGITS = 400;

/** Safe integers are numbers; a `Decimal` never is one. So equal numbers have one form. */
export type ExactNumber = number | Decimal;

export class Decimal {
  readonly isNegative: boolean;
  /** Without zeros at either end; '' for zero. */
  readonly digits: string;
  /** Of ten, for the last digit. */
  readonly exponent: number;

  constructor(isNegative: boolean, digits: string, exponent: number) {
    this.isNegative = isNegative;
    this.digits = digits;
    this.exponent = exponent;
  }

  get key(): string {
    return `${this.isNegative ? '-' : ''}${this.digits}e${this.exponent}`;
  }
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * @param text a JSON number
 * @returns null if the number is too long
 */
export function exactNumber(text: string): ExactNumber | null {
  if (text.length < 16) {
    const value = Number(text);
    // Digits alone, so nothing was rounded.
    if (Number.isSafeInteger(value) && /^-?\d+$/.test(text)) return value + 0;
  }
  const decimal = decimalOf(text);
  if (decimal === null || decimal.exponent < 0) return decimal;
  const { isNegative, digits, exponent } = decimal;
  if (digits.length + exponent > 16) return decimal;
  const value = Number((isNegative ? '-' : '') + (digits || '0') + '0'.repeat(exponent));
  return Number.isSafeInteger(value) ? value + 0 : decimal;
}

function decimalOf(text: string): Decimal | null {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  const all = whole + fraction;
  if (all.length > MAX_NUMBER_DIGITS || power.length > 4) return null;
  if (Math.abs(Number(power)) > MAX_NUMBER_DIGITS) return null;
  const digits = all.replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return new Decimal(false, '', 0);
  const zeros = all.length - all.replace(/0+$/, '').length;
  return new Decimal(sign === '-', digits, Number(power) - fraction.length + zeros);
}

const asDecimal = (value: ExactNumber): Decimal =>
  value instanceof Decimal ? value : (decimalOf(String(value)) ?? new Decimal(false, '', 0));

/** Negative if `a` is smaller, 0 if they are equal. */
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

/** @param divisor a safe integer */
export function isMultipleOf(value: ExactNumber, divisor: number): boolean {
  if (typeof value === 'number') return value % divisor === 0;
  if (!isWhole(value)) return false;
  return BigInt(value.digits + '0'.repeat(value.exponent)) % BigInt(divisor) === 0n;
}
