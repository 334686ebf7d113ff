import { didYouMean } from '@netd/protocol';
import { ACTIONS, type Action } from '@netd/ledger';
import { UsageError } from './command-error.ts';
import { programName } from './program-name.ts';

export function requireAction(name: string): Action {
  const action = ACTIONS.get(name);
  if (action) return action;
  throw new UsageError(
    `there is no such action as ${name}${didYouMean(name, ACTIONS.keys()) || `; ${programName()} act --help lists them`}`,
  );
}
