import { currentAnchor } from './anchor.ts';

/**
 * Proves how many decimals a token has, because they are a part of each amount that one types.
 * @throws RangeError with a sentence for the person
 */
export async function tokenDecimals(tokenId: string): Promise<number> {
  const anchor = currentAnchor();
  if (anchor === null) throw new RangeError('The network is not known yet. Try again in a moment.');
  const { prove } = await import('./prover.ts');
  const { value } = (await prove(anchor, 'state', `token/${tokenId}`).catch((error: Error) => {
    throw new RangeError(`The decimals of this token could not be proven. ${error.message}`);
  })) as { value: unknown };
  const { decimals } = (value ?? {}) as { decimals?: unknown };
  if (typeof decimals !== 'number') throw new RangeError('No token has this id.');
  return decimals;
}
