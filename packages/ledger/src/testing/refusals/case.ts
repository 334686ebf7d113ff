/** One refusal that a rule promises: what to send to which chain, and the only code that may come back. */
import type { ErrorCode, GenesisPolicy } from '@netd/protocol';
import type { Submission } from '../../block-execution.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import { TestChain } from '../test-chain.ts';

export interface RefusalCase {
  /** An action, AgentRegistration, or SignedIntent and OpenTransition for what each of these passes. */
  subject: string;
  code: ErrorCode;
  /** The rule, as a sentence. */
  rule: string;
  policy?: Partial<GenesisPolicy>;
  /** Prepares the chain as far as needed and answers the envelope that must be refused. */
  provoke: (chain: TestChain) => Submission;
}

/** A case under the policy of the standard chain. */
export const refuse = (
  subject: string,
  code: ErrorCode,
  rule: string,
  provoke: RefusalCase['provoke'],
): RefusalCase => ({ subject, code, rule, provoke });

export const RECOVERY_DELAY = { heights: 10, milliseconds: 60_000 };

/** Three active agents that may use faucet and transfer, and the operator of genesis. */
export function standardChain(policy: Partial<GenesisPolicy> = {}): TestChain {
  const chain = new TestChain({ policy: { recoveryDelay: RECOVERY_DELAY, ...policy } });
  return chain.join(['alice', 'bob', 'carol'], ['faucet', 'transfer']);
}

/** Faucet limits of a devnet but for what a test changes. */
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
