import { genesisHash, type Genesis, type GenesisPolicy } from '@netd/protocol';
import { testKey } from '@netd/protocol/testing';
import { devnetGenesis } from '../genesis.ts';
import { OPERATOR, type TestChain } from './test-chain.ts';

export const FORK_ID = 'net-fork-1';

/** Returns the genesis of a fork at the chain's head. */
export function forkOf(
  chain: TestChain,
  policy: GenesisPolicy | undefined = chain.record('policy', 'limits'),
): Genesis {
  const { genesis: origin, tip } = chain.ledger;
  const { chainId, epoch } = origin;
  if (!policy) throw new Error('the chain has no policy');
  const { validatorSet: _, ...lasting } = policy;
  const { height, blockHash, stateRoot } = tip;
  return devnetGenesis({
    chainId: FORK_ID,
    genesisTime: '2026-01-01T01:00:00.000Z',
    operator: { actorId: OPERATOR, publicKey: testKey('another operator').publicKey },
    validator: {
      validatorId: 'validator-1',
      consensusPublicKey: testKey('another validator').publicKey,
    },
    laboratory: true,
    policy: lasting,
    fork: {
      point: { chainId, genesisHash: genesisHash(origin), height, blockHash, stateRoot },
      epoch,
    },
  });
}
