import {
  certificateHash,
  COMMIT_SCHEME,
  type CommitCertificate,
  type FinalityStatement,
  type Genesis,
} from '@netd/protocol';
import { Chain, type BlockCommitter, type ChainHead } from '../../chain/chain.ts';
import { statementOf } from '../../chain/signer.ts';
import { identityOf } from '../../executor/chain-identity.ts';
import { StoreError } from '../../store/store-error.ts';
import type { Store } from '../../store/store.ts';

/**
 * Opens the chain. An empty store gets an uncertified block 0.
 * @throws StoreError if the store holds another chain
 */
export function openCometChain(
  store: Store,
  genesis: Genesis,
  committer: BlockCommitter = store,
): Promise<Chain> {
  const { totalVotingPower } = identityOf(genesis).genesisSet;
  return Chain.open({
    store,
    genesis,
    committer,
    certifyGenesis: (header, hash) => uncertified(statementOf(header, hash), totalVotingPower),
  });
}

/** @throws StoreError if the chain has a single validator */
export function newestCertificate(store: Store): CommitCertificate {
  const snapshot = store.snapshot();
  try {
    const { certificate } = snapshot.block;
    if (certificate.scheme === COMMIT_SCHEME) return certificate;
    throw new StoreError(
      `the chain on disk is certified by ${certificate.scheme}: it is that of a single validator, and goes on with netd dev only`,
    );
  } finally {
    snapshot.close();
  }
}

/** False only for block 0, before the validators have met. Serve nothing until then. */
export const hasVotes = (store: Store): boolean => newestCertificate(store).votes.length > 0;

/** Resolves once more than two thirds of the validators have met. */
export async function untilCertified(chain: ChainHead, store: Store): Promise<void> {
  if (hasVotes(store)) return;
  await new Promise<void>((resolve) => {
    const off = chain.onBlock(() => {
      off();
      resolve();
    });
  });
}

function uncertified(statement: FinalityStatement, totalVotingPower: number): CommitCertificate {
  const none = { total: 0, hash: '' };
  const hash = certificateHash(statement, COMMIT_SCHEME);
  return {
    schema: 'NET-FINALITY-CERTIFICATE/1',
    scheme: COMMIT_SCHEME,
    ...statement,
    votingPower: 0,
    totalVotingPower,
    votes: [],
    commit: {
      round: 0,
      parts: none,
      header: {
        version: { block: 0, app: 0 },
        chainId: statement.chainId,
        height: 1,
        time: '1970-01-01T00:00:00Z',
        lastBlockId: { hash: '', parts: none },
        lastCommitHash: '',
        dataHash: '',
        validatorsHash: '',
        nextValidatorsHash: '',
        consensusHash: '',
        appHash: hash,
        lastResultsHash: '',
        evidenceHash: '',
        proposerAddress: '',
      },
    },
    certificateHash: hash,
  };
}
