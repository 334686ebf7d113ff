/** A devnet with windows short enough for tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devnetGenesis, DEVNET_POLICY } from '@netd/ledger';
import type { Genesis } from '@netd/protocol';
import { GENESIS_FILE } from '@netd/node';
import { ensureKeyFile, type KeyFile } from '@netd/node/keys';

/** Fixed, so that tests can find keys and files. */
export const FAST_CHAIN_ID = 'net-devnet-1';

export const INSTANT = { heights: 1, milliseconds: 1 };

export interface FastDevnetOptions {
  chainId?: string;
  /** Milliseconds to dispute a verdict, beside one height; default 200. */
  disputeWindow?: number;
  /** Other differences from a devnet's policy. */
  policy?: Partial<Genesis['policy']>;
  /** Default: the newest version. */
  rules?: number;
}

/**
 * @param disputeWindow milliseconds
 * @param verify least time for a jury; jurors on a busy machine must be able to reveal their votes in it
 */
export const fastWork = (
  disputeWindow = 200,
  verify = DEVNET_POLICY.work.minimumSpans.verify,
): Genesis['policy']['work'] => ({
  ...DEVNET_POLICY.work,
  disputeWindow: { heights: 1, milliseconds: disputeWindow },
  minimumSpans: { deliver: INSTANT, verify },
});

/**
 * Creates keys and genesis before the first start; keeps existing files.
 * @returns the operator's key
 */
export function makeFastDevnet(dataDir: string, options: FastDevnetOptions = {}): KeyFile {
  const { chainId = FAST_CHAIN_ID, disputeWindow, policy = {}, rules } = options;
  const keyOf = (name: string, actorId: string): KeyFile =>
    ensureKeyFile(join(dataDir, 'keys', `${name}.json`), chainId, actorId);
  const operator = keyOf('operator', 'operator');
  const validator = keyOf('validator', 'validator-1');
  const genesis = devnetGenesis({
    chainId,
    genesisTime: new Date().toISOString(),
    operator: { actorId: operator.actorId, publicKey: operator.publicKey },
    validator: { validatorId: validator.actorId, consensusPublicKey: validator.publicKey },
    policy: {
      ...DEVNET_POLICY,
      work: fastWork(disputeWindow),
      ...policy,
    },
    ...(rules === undefined ? {} : { rules }),
  });
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(join(dataDir, GENESIS_FILE), JSON.stringify(genesis), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return operator;
}
