import { act, names, type Stage } from '../stage.ts';
import type { Round } from './work.ts';

const SUPPLY = 1_000;
const SHARE = 100;

export async function tokens(stage: Stage, { verified }: Round): Promise<void> {
  const { cast, runId, say } = stage;
  const { requester, workers } = cast;
  const tokenId = `tok-credits-${runId}`;
  await act(stage, requester, 'createToken', {
    tokenId,
    name: 'Reading credits',
    symbol: 'READ',
    decimals: 0,
    supplyCap: 10 * SUPPLY,
    initialSupply: SUPPLY,
    mintAuthority: requester.actorId,
  });
  for (const worker of workers) {
    await act(stage, requester, 'transferToken', { tokenId, to: worker.actorId, amount: SHARE });
  }
  say(`${requester.name} issues ${SUPPLY} READ and gives ${SHARE} each to ${names(workers)}.`);

  const [job] = verified;
  if (!job) throw new Error('there is a verified job');
  const nftId = `tok-medal-${runId}`;
  await act(stage, requester, 'createToken', {
    tokenId: nftId,
    name: 'Fastest reader',
    symbol: 'MEDAL',
    decimals: 0,
    supplyCap: 1,
    initialSupply: 1,
  });
  await act(stage, requester, 'transferToken', {
    tokenId: nftId,
    to: job.worker.actorId,
    amount: 1,
  });
  say(`The medal for the fastest reader is an NFT; ${job.worker.name} holds it.`);
  stage.show('The token and its holders', `/v1/tokens/${tokenId}`);
  stage.show('The medal', `/v1/tokens/${nftId}`);
}
