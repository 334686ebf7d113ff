/** The base of every error that the SDK throws: a stable code, data for programs, and a text that contains the code. */
import type { JsonObject } from './canonical-json.ts';

const BRAND = Symbol.for('net-sdk.error');

export interface NetSdkErrorOptions {
  code: string;
  data?: JsonObject;
  cause?: unknown;
}

/**
 * Branch on `code`, show `message`. `JSON.stringify` keeps all of it, and `errorFrom` restores it. Through `structuredClone`,
 * as between threads, `cause` carries `code` and `data`; an error below it is the `cause` of that.
 */
export class NetSdkError extends Error {
  override name = 'NetSdkError';
  readonly code: string;
  /** What belongs to the code, as JSON. */
  readonly data: JsonObject;

  constructor(message: string, { code, data = {}, cause }: NetSdkErrorOptions) {
    super(withCode(message, code), { cause: causeOf(code, data, cause) });
    this.code = code;
    this.data = data;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** By a brand: AmountError is a TypeError too, and two bundles of the SDK have a class each. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A class below it is asked in the usual way.
    if (this !== NetSdkError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  toJSON(): JsonObject {
    return errorToJson(this);
  }
}

/** Marks an error with another base class, for example TypeError, as one of ours. */
export function brandError(error: Error): void {
  Object.defineProperty(error, BRAND, { value: true });
}

/** The text with its code, at the end of the first line: what follows there are the parts at fault. */
export function withCode(message: string, code: string): string {
  const [first = '', ...others] = message.split('\n');
  return [`${first} [${code}]`, ...others].join('\n');
}

export const causeOf = (code: string, data: JsonObject, cause?: unknown): object => ({
  code,
  data,
  ...(cause === undefined ? {} : { cause }),
});

/** Name, text, code, data and whatever else the class keeps. */
export const errorToJson = (error: Error): JsonObject => ({
  ...(error as unknown as JsonObject),
  message: error.message,
});
