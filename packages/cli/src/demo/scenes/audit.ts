/** The auditor believes nothing: it proves what was paid and released against the genesis document, without trusting the node. */
import {
  canonicalize,
  genesisHash,
  makeValidatorSet,
  verifyCertificate,
  verifyStateProof,
  type FinalityCertificate,
  type Genesis,
  type StateProof,
} from '@netd/protocol';
import { CommandError } from '../../command-error.ts';
import { net, type Stage } from '../stage.ts';
import { contributionIdOf } from './contribution.ts';
import type { Round } from './work.ts';

interface CertifiedProof extends StateProof {
  certificate: FinalityCertificate;
}

export async function audit(stage: Stage, { verified, disputed }: Round): Promise<void> {
  const { client, cast, say } = stage;
  const genesis = await client.get<Genesis>('/v1/genesis');
  const { genesisHash: known } = await client.network();
  if (genesisHash(genesis) !== known)
    throw new CommandError('the node shows a genesis of another chain');
  const ends = [
    ...verified.map(({ orderId }) => [`order/${orderId}`, 'PAID']),
    [`order/${disputed.orderId}`, 'REJECTED'],
    [`contribution/${contributionIdOf(stage)}`, 'DEPLOYED'],
  ] as [string, string][];
  for (const [key, expected] of ends) {
    const { status } = (await prove(stage, genesis, key)) as { status: string };
    if (status !== expected) throw new CommandError(`${key} is ${status}, not ${expected}`);
  }
  say(`${cast.auditor.name} proves how the work and the contribution ended,`);
  say("from the state down to the validator's signature.");

  const token = await client.get<{ totalSupply: number; classesSum: number }>('/v1/token');
  if (token.classesSum !== token.totalSupply) {
    throw new CommandError(`the classes sum to ${token.classesSum} of ${token.totalSupply} unet`);
  }
  say(`Every unit is where the books say: ${net(token.classesSum)} in all, as on the first day.`);
  stage.show('Where the money is', '/v1/token');
  stage.show('A proof to check yourself', `/v1/state/proof?key=order/${disputed.orderId}`);
}

/** The value of a state key, proved under a root that a quorum of genesis has certified. */
async function prove({ client }: Stage, genesis: Genesis, key: string): Promise<unknown> {
  const proof = await client.get<CertifiedProof>(`/v1/state/proof?key=${encodeURIComponent(key)}`);
  const { certificate, value } = proof;
  const set = makeValidatorSet(genesis.chainId, genesis.epoch, genesis.validators);
  const certified = verifyCertificate(certificate, set, set.validatorSetHash);
  if (!certified.ok) throw new CommandError(`the certificate does not verify: ${certified.reason}`);
  const verdict = verifyStateProof(key, canonicalize(value), proof, certificate.stateRoot);
  if (!verdict.ok || !verdict.present) throw new CommandError(`${key} is not proved`);
  return value;
}
