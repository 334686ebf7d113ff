import { UnexpectedHeadError } from '../../chain/chain.ts';
import { StoreError } from '../../store/store-error.ts';

export interface ErrorText {
  name: string;
  message: string;
  stack: string | undefined;
  code: unknown;
}

export const errorText = (error: unknown): ErrorText => {
  if (!(error instanceof Error)) {
    return { name: 'Error', message: String(error), stack: undefined, code: undefined };
  }
  const { name, message, stack } = error;
  return { name, message, stack, code: (error as NodeJS.ErrnoException).code };
};

const CLASSES: Record<string, { readonly prototype: Error }> = { StoreError, UnexpectedHeadError };

export function errorFrom({ name, message, stack, code }: ErrorText): Error {
  const error = new Error(message);
  Object.setPrototypeOf(error, CLASSES[name]?.prototype ?? Error.prototype);
  return Object.assign(error, { name, stack }, code === undefined ? {} : { code });
}
