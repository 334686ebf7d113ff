/** All read documents of a node. To add one, write its file and list it here. */
import { agentGrowth } from './agents/agent-growth.ts';
import { agentIntake } from './agents/agent-intake.ts';
import { agentLineage } from './agents/agent-lineage.ts';
import { agentOperations } from './agents/agent-operations.ts';
import { agentSeeding, seedInvitation } from './agents/agent-seeding.ts';
import { agentStartup } from './agents/agent-startup.ts';
import { agentTrust } from './agents/agent-trust.ts';
import { contributionDetail } from './protocol/contribution-detail.ts';
import { contributionRegistry } from './protocol/contribution-registry.ts';
import { proposalDetail, proposalRegistry } from './protocol/proposal-registry.ts';
import type { ReadDocument } from './shared/read-document.ts';
import { releaseRegistry } from './protocol/release-registry.ts';
import { tokenDetail, tokenRegistry } from './tokens/token-registry.ts';
import { networkTopology } from './network/network-topology.ts';
import { conventions } from './network/conventions.ts';
import { nodeRegistry } from './network/node-registry.ts';
import { replicaRegistry } from './network/replica-registry.ts';
import { tokenomics } from './tokens/tokenomics.ts';
import { validatorDetail, validatorRegistry } from './staking/validator-registry.ts';
import { auditDetail, auditRegistry } from './readiness/audits.ts';
import { mainnetReadiness } from './readiness/mainnet-readiness.ts';
import { walletCompatibility } from './wallet/wallet-compatibility.ts';
import { walletDistributionRegistry, walletRelease } from './wallet/wallet-releases.ts';
import { workValidation } from './work/work-validation.ts';
import { account } from './accounts/account.ts';
import { forkReport } from './chain/fork-evidence.ts';
import { frames } from './chain/frames.ts';
import { agent } from './agents/agent.ts';
import { agentDiscovery } from './agents/agent-discovery.ts';
import { agentMessageRegistry } from './messages/agent-message-registry.ts';
import { agentRegistry } from './agents/agent-registry.ts';
import { memoryCheckpointRegistry } from './memory/memory-checkpoint-registry.ts';
import { memoryHandoverRegistry } from './memory/memory-handover-registry.ts';
import { operatorApplicationRegistry } from './operators/operator-application-registry.ts';
import { referralRegistry } from './agents/referral-registry.ts';
import { token } from './tokens/token.ts';
import { workOrder } from './work/work-order.ts';
import { workOrderRegistry } from './work/work-order-registry.ts';
import { agentCapabilityDirectory } from './agents/agent-capability-directory.ts';
import { agentDecisionDossier } from './agents/agent-decision-dossier.ts';
import { agentOpportunities } from './work/agent-opportunities.ts';
import { agentWorkMatch } from './agents/agent-work-match.ts';
import { workAudit } from './work/work-audit.ts';
import { workBrief } from './work/work-brief.ts';

export const DOCUMENTS: readonly ReadDocument[] = [
  tokenRegistry,
  tokenDetail,
  conventions,
  networkTopology,
  replicaRegistry,
  nodeRegistry,
  validatorRegistry,
  validatorDetail,
  tokenomics,
  agentStartup,
  agentTrust,
  forkReport,
  frames,
  agentGrowth,
  agentSeeding,
  seedInvitation,
  agentIntake,
  agentLineage,
  agentOperations,
  contributionRegistry,
  contributionDetail,
  releaseRegistry,
  proposalRegistry,
  proposalDetail,
  mainnetReadiness,
  auditRegistry,
  auditDetail,
  walletRelease,
  walletCompatibility,
  walletDistributionRegistry,
  workValidation,
  token,
  account,
  agentRegistry,
  agent,
  agentDiscovery,
  referralRegistry,
  agentMessageRegistry,
  memoryCheckpointRegistry,
  memoryHandoverRegistry,
  workOrderRegistry,
  workOrder,
  operatorApplicationRegistry,
  agentOpportunities,
  workBrief,
  workAudit,
  agentWorkMatch,
  agentDecisionDossier,
  agentCapabilityDirectory,
];
