/** The names of the options of a call: one that is unknown is a mistake, which would otherwise change nothing silently. */
import { didYouMean, jsonPointer } from '@netd/protocol';
import { CoreError } from './agent/core-error.ts';

/** Every option of a call, as the compiler holds it complete. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true };

/**
 * Refuses options that the call does not have, and anything that is no object of options: a number, or an address of the class
 * URL, has no names of its own and would change nothing silently. An option with the value undefined counts as left out.
 * @param call as a program writes it, for the sentence
 * @throws AgentError OPTION_UNKNOWN with the nearest names, and the path of the option; ARGUMENT_INVALID
 */
export function requireOptions(
  call: string,
  given: unknown,
  known: Readonly<Record<string, true>>,
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || given instanceof URL) {
    refuseOptions(call, given, known);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !Object.hasOwn(known, name)) refuseOption(call, name, known);
  }
}

function refuseOptions(call: string, given: unknown, known: object): never {
  const [first = 'name'] = Object.keys(known);
  const found =
    given === null
      ? 'null'
      : Array.isArray(given)
        ? 'a list'
        : given instanceof URL
          ? 'a URL'
          : typeof given;
  const detail = `${call} takes its options as an object, such as { ${first}: … }, and got ${found}`;
  throw new CoreError('ARGUMENT_INVALID', detail, { data: { path: '' } });
}

function refuseOption(call: string, name: string, known: object): never {
  const names = Object.keys(known);
  const near = didYouMean(name, names);
  const hint = near || (names.length === 0 ? '' : `; there are ${names.join(', ')}`);
  throw new CoreError('OPTION_UNKNOWN', `${call}: ${JSON.stringify(name)}${hint}`, {
    data: { path: jsonPointer([name]) },
  });
}
