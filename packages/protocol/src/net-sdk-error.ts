import type { JsonObject } from './canonical-json.ts';

const BRAND = Symbol.for('net-sdk.error');

export interface NetSdkErrorOptions {
  code: string;
  data?: JsonObject;
  cause?: unknown;
}

/**
 * The base of all SDK errors: a stable code, data, and a message that contains the code. Branch on `code`,
 * show `message`. `JSON.stringify` keeps everything, and `errorFrom` restores it. After `structuredClone`,
 * `cause` carries `code` and `data`.
 */
export class NetSdkError extends Error {
  override name = 'NetSdkError';
  /** Stable code to branch on. */
  readonly code: string;
  /** Facts of the error, by name. */
  readonly data: JsonObject;

  constructor(message: string, { code, data = {}, cause }: NetSdkErrorOptions) {
    super(withCode(message, code), { cause: causeOf(code, data, cause) });
    this.code = code;
    this.data = data;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Tests the brand: AmountError is a TypeError, and two bundles of the SDK have separate classes. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== NetSdkError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  /** Returns the error for logs and other processes; `errorFrom` restores it. */
  toJSON(): JsonObject {
    return errorToJson(this);
  }
}

/** Marks an error with another base class, for example TypeError, as one of ours. */
export function brandError(error: Error): void {
  Object.defineProperty(error, BRAND, { value: true });
}

export function withCode(message: string, code: string): string {
  const [first = '', ...others] = message.split('\n');
  return [`${first} [${code}]`, ...others].join('\n');
}

export const causeOf = (code: string, data: JsonObject, cause?: unknown): object => ({
  code,
  data,
  ...(cause === undefined ? {} : { cause }),
});

export const errorToJson = (error: Error): JsonObject => ({
  ...(error as unknown as JsonObject),
  message: error.message,
});
