/** The auditor proves payments and releases from the genesis, without trusting the node. */
import { netText } from '@netd/protocol';
import { VerifiedReader } from '@netd/sdk';
import { CommandError } from '../../command-error.ts';
import type { Stage } from '../stage.ts';
import { contributionIdOf } from './contribution.ts';
import type { Round } from './work.ts';

export async function audit(stage: Stage, { verified, disputed }: Round): Promise<void> {
  const { client, cast, say } = stage;
  const { genesisHash } = await client.network();
  const reader = new VerifiedReader(client, { genesisHash });
  const ends = [
    ...verified.map(({ orderId }) => [`order/${orderId}`, 'PAID']),
    ...(disputed ? [[`order/${disputed.orderId}`, 'REJECTED']] : []),
    [`contribution/${contributionIdOf(stage)}`, 'DEPLOYED'],
  ] as [string, string][];
  for (const [key, expected] of ends) {
    const { value } = await reader.readState(key);
    const { status } = (value ?? { status: 'not there' }) as { status: string };
    if (status !== expected) throw new CommandError(`${key} is ${status}, not ${expected}`);
  }
  say(`${cast.auditor.name} proves how the work and the contribution ended,`);
  say('from the state down to the signatures of the validators.');

  const token = await client.get<{ totalSupply: number; classesSum: number }>('/v1/token');
  if (token.classesSum !== token.totalSupply) {
    throw new CommandError(`the classes sum to ${token.classesSum} of ${token.totalSupply} unet`);
  }
  say(`Every unit is accounted for: ${netText(token.classesSum)} in total, as at genesis.`);
  stage.show('Where the money is', '/v1/token');
  const [[key] = ['']] = ends;
  stage.show('A proof to check yourself', `/v1/state/proof?key=${key}`);
}
