/** Every read document that the frame serves: a document is one file and one line here. */
import { agentGrowth } from './agent-growth.ts';
import { agentIntake } from './agent-intake.ts';
import { agentLineage } from './agent-lineage.ts';
import { agentOperations } from './agent-operations.ts';
import { agentSeeding, seedInvitation } from './agent-seeding.ts';
import { agentStartup } from './agent-startup.ts';
import { agentTrust } from './agent-trust.ts';
import { contributionDetail } from './contribution-detail.ts';
import { contributionRegistry } from './contribution-registry.ts';
import { proposalDetail, proposalRegistry } from './proposal-registry.ts';
import type { ReadDocument } from './read-document.ts';
import { releaseRegistry } from './release-registry.ts';
import { tokenDetail, tokenRegistry } from './token-registry.ts';
import { networkTopology } from './network-topology.ts';
import { nodeRegistry } from './node-registry.ts';
import { replicaRegistry } from './replica-registry.ts';
import { tokenomics } from './tokenomics.ts';
import { validatorDetail, validatorRegistry } from './validator-registry.ts';
import { auditDetail, auditRegistry } from './audits.ts';
import { mainnetReadiness } from './mainnet-readiness.ts';
import { walletCompatibility } from './wallet-compatibility.ts';
import { walletDistributionRegistry, walletRelease } from './wallet-releases.ts';
import { workValidation } from './work-validation.ts';
import { account } from './account.ts';
import { agent } from './agent.ts';
import { agentDiscovery } from './agent-discovery.ts';
import { agentMessageRegistry } from './agent-message-registry.ts';
import { agentRegistry } from './agent-registry.ts';
import { memoryCheckpointRegistry } from './memory-checkpoint-registry.ts';
import { memoryHandoverRegistry } from './memory-handover-registry.ts';
import { operatorApplicationRegistry } from './operator-application-registry.ts';
import { referralRegistry } from './referral-registry.ts';
import { token } from './token.ts';
import { workOrder } from './work-order.ts';
import { workOrderRegistry } from './work-order-registry.ts';
import { agentCapabilityDirectory } from './agent-capability-directory.ts';
import { agentDecisionDossier } from './agent-decision-dossier.ts';
import { agentOpportunities } from './agent-opportunities.ts';
import { agentWorkMatch } from './agent-work-match.ts';
import { workAudit } from './work-audit.ts';
import { workBrief } from './work-brief.ts';

export const DOCUMENTS: readonly ReadDocument[] = [
  tokenRegistry,
  tokenDetail,
  networkTopology,
  replicaRegistry,
  nodeRegistry,
  validatorRegistry,
  validatorDetail,
  tokenomics,
  agentStartup,
  agentTrust,
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
