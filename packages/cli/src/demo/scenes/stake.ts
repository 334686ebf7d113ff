import { netText, UNET_PER_NET } from '@netd/protocol';
import type { Player } from '../cast.ts';
import { act, names, type Stage } from '../stage.ts';
import { fund } from './arrivals.ts';
import { heartbeats } from './heartbeats.ts';
import { takeOn } from './roles.ts';
import type { Round } from './work.ts';

const SELF_BOND = 1_000 * UNET_PER_NET;
/** Stake per agent in unet. It equals one order's pay, because stake beyond earnings has no weight. */
const STAKE = 25 * UNET_PER_NET;

export async function stake(stage: Stage, round: Round): Promise<void> {
  const { cast, say } = stage;
  const { validator, providers, consensus } = cast;
  if ((await bondedBy(stage, validator)) < SELF_BOND) await fund(stage, validator, SELF_BOND);
  const isNew = await takeOn(stage, validator, {
    role: 'VALIDATOR',
    actions: ['submitValidatorHeartbeat'],
    profile: { selfBond: SELF_BOND, ...consensus, faultDomain: validator.name },
  });
  if (isNew)
    say(`${validator.name} becomes a validator candidate, with a bond of ${netText(SELF_BOND)}.`);
  const delegators: Player[] = [];
  for (const worker of earners(stage, round)) {
    if ((await bondedBy(stage, worker)) >= STAKE) continue;
    await fund(stage, worker, STAKE, STAKE);
    await act(stage, worker, 'delegate', { validatorId: validator.actorId, amount: STAKE });
    delegators.push(worker);
  }
  if (delegators.length > 0)
    say(`Delegations of ${netText(STAKE)} come from ${names(delegators)}.`);
  await heartbeats(stage);
  say(
    `${names([...providers, validator])} report the state root they have reached: it is the chain's.`,
  );
  stage.show('The validator candidate', `/v1/validators/${validator.actorId}`);
  stage.show('Where nodes are', '/v1/topology');
}

export function earners({ cast }: Stage, { verified }: Round): Player[] {
  return [...new Set(verified.map(({ worker }) => worker))].filter(
    (worker) => worker !== cast.contributor,
  );
}

async function bondedBy({ client }: Stage, { actorId }: Player): Promise<number> {
  const { stake: held } = await client.get<{ stake: { bonded: number } }>(
    `/v1/accounts/${actorId}`,
  );
  return held.bonded;
}
