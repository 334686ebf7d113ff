export { account } from './accounts/account.ts';
export { agentCapabilityDirectory } from './agents/agent-capability-directory.ts';
export { Erc8004Registration, erc8004Registration } from './agents/erc-8004.ts';
export { BEACON_HEIGHTS } from './agents/claims.ts';
export { agentDecisionDossier } from './agents/agent-decision-dossier.ts';
export { agentGrowth } from './agents/agent-growth.ts';
export { agentIntake } from './agents/agent-intake.ts';
export { agentLineage } from './agents/agent-lineage.ts';
export { agentOperations } from './agents/agent-operations.ts';
export { agentSeeding } from './agents/agent-seeding.ts';
export { agentStartup } from './agents/agent-startup.ts';
export { agentTrust } from './agents/agent-trust.ts';
export {
  BlockDocument,
  BlockListDocument,
  type BlockQuery,
  blockListDocument,
  blocksAtDocument,
  blockText,
  WHOLE_BLOCKS,
  WholeBlocksDocument,
  wholeBlocksText,
} from './chain/blocks.ts';
export {
  EVENT_ID,
  EVENT_PAGE,
  EventPage,
  EventPageQuery,
  FeedEvent,
  eventFilterOf,
  blockOfEvent,
  eventIdOf,
  type BlockOfEvent,
  eventPage,
  refuseBefore,
  eventPositionOf,
  eventSubjectOf,
} from './chain/event-page.ts';
export { type CertifiedHeader, ForkEvidence } from './chain/fork-evidence.ts';
export { ManifestDocument, manifestDocument } from './network/manifest.ts';
export { networkStatus } from './network/network-status.ts';
export {
  REPLICA_CAPABILITY,
  REPLICA_PROTOCOL,
  replicaRegistry,
} from './network/replica-registry.ts';
export { contributionRegistry } from './protocol/contribution-registry.ts';
export { mainnetReadiness } from './readiness/mainnet-readiness.ts';
export { DOCUMENTS } from './registry.ts';
export { Boundaries, READ_BOUNDARIES } from './shared/boundaries.ts';
export { makeCursor, readCursor } from './shared/cursor.ts';
export { admissionFacts, dryRun } from './shared/dry-run.ts';
export { BlockFacts, SnapshotFacts, documentHead } from './shared/facts.ts';
export { chainIntegrity } from './shared/integrity.ts';
export { Links } from './shared/links.ts';
export type { LocalDocument } from './shared/local-document.ts';
export { NetworkIdentity, networkIdentity } from './shared/network-facts.ts';
export { pageQuery } from './shared/page.ts';
export { DocumentFrame, type ReadDocument } from './shared/read-document.ts';
export {
  EXAMPLES,
  NextActions,
  SIGNING_RULES,
  payloadSchemaName,
} from './shared/signed-request.ts';
export { tokenDetail, tokenRegistry } from './tokens/token-registry.ts';
export { agentOpportunities } from './work/agent-opportunities.ts';
export { agentWorkMatch } from './agents/agent-work-match.ts';
export { OrderWarnings, orderWarnings } from './work/order-warnings.ts';
export { workAudit } from './work/work-audit.ts';
export { workBrief } from './work/work-brief.ts';
export { workOrderRegistry } from './work/work-order-registry.ts';
export { OrderTerms } from './work/work-order.ts';
export {
  ORDER_TASKS,
  orderTask,
  orderTaskPage,
  type OrderTask,
  type OrderTaskPage,
  type OrderTaskQuery,
} from './work/order-task.ts';
export { ValidatorSetChangesDocument } from './chain/validator-set-changes.ts';
