/** Holds and uses keys if the browser's own cryptography cannot. */
import { SoftCrypto } from './algorithms.ts';

export interface Call {
  id: number;
  method: keyof SoftCrypto['calls'];
  parameters: readonly unknown[];
}
export type Answer =
  { id: number; result: unknown } | { id: number; error: { name: string; message: string } };

const { calls } = new SoftCrypto();

addEventListener('message', ({ data }: MessageEvent<Call>) => {
  const { id, method, parameters } = data;
  try {
    const call = calls[method] as (...given: readonly unknown[]) => unknown;
    postMessage({ id, result: call(...parameters) } satisfies Answer);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error('it failed');
    postMessage({ id, error: { name, message } } satisfies Answer);
  }
});
