/** The names of the options of a call: one that is unknown is a mistake, which would otherwise change nothing silently. */
import { didYouMean } from '@netd/protocol';
import { CoreError } from './agent/core-error.ts';

/** Every option of a call, as the compiler holds it complete. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true };

/**
 * Refuses options that the call does not have. One with the value undefined counts as left out, whatever its name.
 * @param call as a program writes it, for the sentence
 * @throws AgentError OPTION_UNKNOWN with the nearest names, and the path of the option
 */
export function requireOptions(
  call: string,
  given: object,
  known: Readonly<Record<string, true>>,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !Object.hasOwn(known, name)) refuseOption(call, name, known);
  }
}

function refuseOption(call: string, name: string, known: object): never {
  const names = Object.keys(known);
  const near = didYouMean(name, names);
  const hint = near || (names.length === 0 ? '' : `; there are ${names.join(', ')}`);
  throw new CoreError('OPTION_UNKNOWN', `${call}: ${JSON.stringify(name)}${hint}`, {
    data: { path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` },
  });
}
