/** A changing validator set, with four validators in genesis. */
import { UNET_PER_NET, type GenesisPolicy, type ValidatorSetPolicy } from '@netd/protocol';
import { testKey } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../genesis.ts';
import { withChangingSet, type OwnedValidator } from '../genesis-owners.ts';
import { TestChain } from './test-chain.ts';

export const FOUNDERS = ['val-a', 'val-b', 'val-c', 'val-d'] as const;

const SHORT_TERMS: ValidatorSetPolicy = {
  termHeights: 4,
  maximum: 5,
  downtime: { window: 6, missed: 2, jail: { heights: 3, milliseconds: 2_000 } },
};

/** Keys derive from the name. */
export function founder(validatorId: string, bond = 1_000 * UNET_PER_NET): OwnedValidator {
  return {
    validatorId,
    consensusPublicKey: testKey(`${validatorId} consensus`).publicKey,
    ownerPublicKey: testKey(validatorId).publicKey,
    faultDomain: `rack-${validatorId}`,
    bond,
  };
}

export function changingChain(
  options: {
    rules?: Partial<ValidatorSetPolicy>;
    founders?: readonly OwnedValidator[];
    policy?: Partial<GenesisPolicy>;
    chainId?: string;
    open?: boolean;
  } = {},
): TestChain {
  const { rules, founders = FOUNDERS.map((id) => founder(id)), policy, chainId, open } = options;
  return new TestChain({
    ...(chainId === undefined ? {} : { chainId }),
    ...(open === undefined ? {} : { open }),
    policy: {
      operators: {
        ...DEVNET_POLICY.operators,
        unbondingDelay: { heights: 3, milliseconds: 20_000 },
      },
      ...policy,
    },
    genesis: (genesis) => withChangingSet(genesis, founders, { ...SHORT_TERMS, ...rules }),
  });
}

/** The next validator set. */
export const setOf = (chain: TestChain, height = chain.height + 1): string[] =>
  chain.ledger.validatorSetAt(height).validators.map(({ validatorId }) => validatorId);

/** Advances to the next term. */
export function nextTerm(chain: TestChain): TestChain {
  const end = chain.record('validator-term', 'current')?.lastHeight ?? 0;
  while (chain.height <= end) chain.block([]);
  return chain;
}

/** Misses blocks until jailed. */
export function jail(chain: TestChain, validatorId: string): TestChain {
  while (!chain.record('validator-liveness', validatorId)?.jailedUntil) {
    chain.block([], 100, [{ kind: 'missBlock', subject: validatorId }]);
  }
  return chain;
}

export function playValidatorsGoldenChain(): TestChain {
  const chain = changingChain({ chainId: 'net-golden-validators-1' });
  chain
    .join(['eve', 'bob'])
    .fund('eve', 2_000 * UNET_PER_NET)
    .fund('bob', 100 * UNET_PER_NET);
  chain.install('eve', 'VALIDATOR');
  chain.does('bob', 'extendAgentCapabilities', {
    agentId: 'bob',
    actions: ['delegate', 'undelegate'],
  });
  chain.does('bob', 'delegate', { validatorId: 'val-b', amount: 50 * UNET_PER_NET });
  nextTerm(chain);
  jail(chain, 'val-c');
  nextTerm(chain);
  chain.block([], 3_000);
  chain.does('val-c', 'unjailValidator', { validatorId: 'val-c' });
  chain.does('val-d', 'resignRole', { actorId: 'val-d', role: 'VALIDATOR' });
  nextTerm(chain);
  chain.block([], 100, [
    { kind: 'slashDoubleSigner', subject: 'eve/DUPLICATE_VOTE/17' },
    { kind: 'missBlock', subject: 'val-b' },
  ]);
  nextTerm(chain);
  chain.block([], 20_000);
  return nextTerm(chain);
}
