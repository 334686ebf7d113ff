import { actionOf, isPolicyAction, withoutNull, type Schema } from './actions.ts';
import { netOf } from './form-model.ts';

export const PRESETS = {
  watch: {
    name: 'Watch',
    hint: 'The key reads messages to you and confirms them. It spends nothing.',
    actions: ['acknowledgeAgentMessage'],
  },
  earn: {
    name: 'Earn',
    hint: 'The key goes online, takes jobs and delivers them. Jobs with a bond need a budget.',
    actions: [
      'publishBeacon',
      'withdrawBeacon',
      'acceptWork',
      'submitWorkResult',
      'releaseWork',
      'settleVerifiedWork',
      'sendAgentMessage',
      'acknowledgeAgentMessage',
    ],
  },
  pay: {
    name: 'Pay up to',
    hint: 'The key sends NET and pays for work until it has spent the budget.',
    actions: ['transfer', 'createWorkOrder', 'cancelWorkOrder', 'settleVerifiedWork'],
  },
  own: { name: 'Choose actions', hint: '', actions: [] },
} as const;

export type Preset = keyof typeof PRESETS;

/** Returns the actions of a preset that the agent has, or may permit to itself. */
export function actionsOf(preset: Preset, held: readonly string[]): string[] {
  return PRESETS[preset].actions.filter((name) => held.includes(name) || isPolicyAction(name));
}

const HOUR = 3_600_000;
export const EXPIRIES = { '1 hour': HOUR, '1 day': 24 * HOUR, '7 days': 168 * HOUR } as const;

/** @param time the shortest lifetime of the session in milliseconds */
export const expiryHeight = (height: number, time: number, blockTimeMs: number): number =>
  height + Math.ceil(time / blockTimeMs);

const BOUNDS = actionOf('grantSession')?.payload.properties ?? {};

/**
 * Reads what a session may spend.
 * @param each limit per act; empty for none
 * @throws RangeError with a sentence for the person
 */
export function spendingOf(
  preset: Preset,
  { budget: typed, each }: { budget: string; each: string },
): { budget: number; maxAmount: number | null } {
  const read = (label: string, text: string, schema: Schema = {}): number => {
    try {
      return netOf(text, withoutNull(schema));
    } catch (error) {
      throw new RangeError(`${label}: ${(error as RangeError).message}`, { cause: error });
    }
  };
  const budget = read('Budget', typed, BOUNDS['budget']);
  if (preset === 'pay' && budget === 0) throw new RangeError('A key that pays needs a budget.');
  const maxAmount = each.trim() === '' ? null : read('Limit per act', each, BOUNDS['maxAmount']);
  return { budget, maxAmount };
}

/** All actions that a session may have. */
export const SESSION_ACTIONS: readonly string[] =
  actionOf('grantSession')?.payload.properties?.['actions']?.items?.enum ?? [];
