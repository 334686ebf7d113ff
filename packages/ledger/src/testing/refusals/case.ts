/** A refusal: envelope, chain and expected code. */
import type { ErrorCode, GenesisPolicy } from '@netd/protocol';
import type { Submission } from '../../block-execution.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import { madeOnce, TestChain } from '../test-chain.ts';

export interface RefusalCase {
  /** An action, AgentRegistration, SignedIntent or OpenTransition. */
  subject: string;
  code: ErrorCode;
  rule: string;
  policy?: Partial<GenesisPolicy>;
  /** Prepares the chain and returns the envelope to refuse. */
  provoke: (chain: TestChain) => Submission;
}

export const refuse = (
  subject: string,
  code: ErrorCode,
  rule: string,
  provoke: RefusalCase['provoke'],
): RefusalCase => ({ subject, code, rule, provoke });

export const RECOVERY_DELAY = { heights: 10, milliseconds: 60_000 };

/** alice, bob and carol with faucet and transfer, and the operator. */
export const standardChain: (policy?: Partial<GenesisPolicy>) => TestChain = madeOnce(
  (policy = {}) => {
    const chain = new TestChain({ policy: { recoveryDelay: RECOVERY_DELAY, ...policy } });
    return chain.join(['alice', 'bob', 'carol'], ['faucet', 'transfer']);
  },
);

export function faucetPolicy(
  limits: Partial<GenesisPolicy['faucet']>,
): Pick<GenesisPolicy, 'faucet'> {
  const { perAccount, perNewcomer, ...rest } = {
    ...DEVNET_POLICY.faucet,
    keptForFirst: 0,
    ...limits,
  };
  return { faucet: { ...rest, perAccount, perNewcomer: Math.min(perNewcomer, perAccount) } };
}
