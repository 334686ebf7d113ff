import type { DecisionFailpoint, ReachFailpoint } from '../../failpoints.ts';
import type { AbciApplication } from './abci-server.ts';
import type { CometLedger } from './comet-ledger.ts';

export function ledgerWithFailpoints(
  ledger: CometLedger,
  reach: ReachFailpoint<DecisionFailpoint>,
): AbciApplication {
  const height = (): number => ledger.newest.height;
  return {
    info: () => ledger.info(),
    initChain: (request) => ledger.initChain(request),
    readAhead: (txs) => ledger.readAhead(txs),
    checkTx: (request) => ledger.checkTx(request),
    prepareProposal: (request) => ledger.prepareProposal(request),
    processProposal: (request) => ledger.processProposal(request),
    async finalizeBlock(request) {
      const answer = await ledger.finalizeBlock(request);
      reach('decision.executed', height());
      return answer;
    },
    commit() {
      reach('decision.committing', height());
      const answer = ledger.commit();
      reach('decision.committed', height());
      return answer;
    },
  };
}
