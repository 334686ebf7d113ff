/** Generated from the schemas by `npm run contract`; not edited by hand. What the client knows of the interface. */

/** The member of a page that is its list, by path. */

export const LISTS = {
  '/v1/agent-directory': 'agents',
  '/v1/agent-messages': 'messages',
  '/v1/agent-opportunities': 'opportunities',
  '/v1/agents': 'agents',
  '/v1/audits': 'engagements',
  '/v1/audits/{engagementId}': 'findings',
  '/v1/blocks': 'blocks',
  '/v1/discovery': 'beacons',
  '/v1/governance/proposals': 'proposals',
  '/v1/governance/proposals/{proposalId}': 'votes',
  '/v1/memory/checkpoints': 'checkpoints',
  '/v1/memory/handovers': 'handovers',
  '/v1/nodes': 'nodes',
  '/v1/operator-applications': 'applications',
  '/v1/protocol/contributions': 'contributions',
  '/v1/protocol/releases': 'releases',
  '/v1/referrals': 'referrals',
  '/v1/replicas': 'replicas',
  '/v1/tokens': 'tokens',
  '/v1/validators': 'validators',
  '/v1/wallet/distribution-attestations': 'distributions',
  '/v1/work-orders': 'orders',
} as const;

/** What follows from the actor and the chain, by action and member: `actor`, `expiry` or a constant. */

export const FILLED_IN = {
  publishBeacon: {
    schema: { const: 'NET-AGENT-BEACON/1' },
    agentId: 'actor',
    indexable: { const: true },
    expiresAtHeight: 'expiry',
  },
  withdrawBeacon: { agentId: 'actor' },
  submitNodeHeartbeat: { agentId: 'actor' },
  rotateAgentKey: { agentId: 'actor' },
  setAgentRecovery: { agentId: 'actor' },
  requestAgentRecovery: { agentId: 'actor' },
  approveAgentRecovery: { agentId: 'actor' },
  executeAgentRecovery: { agentId: 'actor' },
  cancelAgentRecovery: { agentId: 'actor' },
  revokeSession: { agentId: 'actor' },
  acceptWork: { agentId: 'actor' },
  submitWorkResult: { agentId: 'actor' },
  voteWork: { verifierId: 'actor' },
  sendAgentMessage: {
    schema: { const: 'NET-AGENT-MESSAGE/1' },
    agentId: 'actor',
    contentEncoding: { const: 'application/ael-encrypted+json' },
    expiresAtHeight: 'expiry',
  },
  acknowledgeAgentMessage: { agentId: 'actor' },
  commitMemoryCheckpoint: { agentId: 'actor', serializer: { const: 'NET-PORTABLE-MEMORY/1' } },
  registerRuntimeOffer: {
    providerId: 'actor',
    serializer: { const: 'NET-PORTABLE-MEMORY/1' },
    expiresAtHeight: 'expiry',
  },
  prepareMemoryHandover: { agentId: 'actor', expiresAtHeight: 'expiry' },
  attestMemoryRestore: { providerId: 'actor' },
  finalizeMemoryHandover: { agentId: 'actor' },
  abortMemoryHandover: { agentId: 'actor' },
  resignRole: { actorId: 'actor' },
  submitValidatorHeartbeat: { validatorId: 'actor' },
  submitProtocolContribution: { agentId: 'actor' },
  attestProtocolBuild: { verifierId: 'actor' },
  reviewProtocolContribution: { auditorId: 'actor' },
  attributeContributionReceipt: { agentId: 'actor' },
  submitProposal: { governorId: 'actor' },
  voteProposal: { governorId: 'actor' },
  enactProtocolContribution: { governorId: 'actor' },
  recordProtocolRelease: { governorId: 'actor' },
  attestWalletDistribution: { auditorId: 'actor' },
  submitAuditFinding: { auditorId: 'actor' },
  sealMainnetGenesis: { agentId: 'actor' },
  grantSession: { agentId: 'actor', expiresAtHeight: 'expiry' },
  extendAgentCapabilities: { agentId: 'actor' },
} as const;

/** Every code that a node of this version refuses with. */

export type ErrorCode =
  | 'ACCOUNT_NOT_FOUND'
  | 'ACTION_MISMATCH'
  | 'ACTION_UNKNOWN'
  | 'ACTOR_ID_RESERVED'
  | 'ACTOR_MISMATCH'
  | 'ACTOR_UNKNOWN'
  | 'AGENT_EXISTS'
  | 'AGENT_INACTIVE'
  | 'AGENT_NOT_FOUND'
  | 'AGENT_RETIRED'
  | 'AGENT_STATUS_UNCHANGED'
  | 'AGENT_UNKNOWN'
  | 'APPLICATION_EXISTS'
  | 'APPLICATION_EXPIRED'
  | 'APPLICATION_EXPIRY_TOO_FAR'
  | 'APPLICATION_KEY_MISMATCH'
  | 'APPLICATION_NOT_PENDING'
  | 'APPLICATION_PENDING'
  | 'APPLICATION_PROFILE_INVALID'
  | 'APPLICATION_SCOPE_INVALID'
  | 'APPLICATION_UNKNOWN'
  | 'AUDITOR_UNKNOWN'
  | 'AUDIT_CONFIRMATION_INVALID'
  | 'AUDIT_DUE_INVALID'
  | 'AUDIT_ENGAGEMENT_CLOSED'
  | 'AUDIT_ENGAGEMENT_EXISTS'
  | 'AUDIT_ENGAGEMENT_UNKNOWN'
  | 'AUDIT_FINDINGS_OPEN'
  | 'AUDIT_FINDING_EXISTS'
  | 'AUDIT_FINDING_LIMIT'
  | 'AUDIT_FINDING_SETTLED'
  | 'AUDIT_FINDING_UNKNOWN'
  | 'AUDIT_NOT_FOUND'
  | 'AUDIT_NOT_REPORTED'
  | 'AUDIT_RESPONSE_INSUFFICIENT'
  | 'AUTHORITY_INACTIVE'
  | 'AUTHORITY_PROTECTED'
  | 'AUTHORITY_REVOKED'
  | 'BEACON_EXPIRED'
  | 'BEACON_EXPIRY_TOO_FAR'
  | 'BEACON_METADATA_NOT_OWN'
  | 'BEACON_NOT_FOUND'
  | 'BEACON_SEQUENCE_STALE'
  | 'BLOCK_NOT_FOUND'
  | 'BODY_TOO_LARGE'
  | 'BOND_TOO_SMALL'
  | 'CAPABILITIES_UNCHANGED'
  | 'CAPABILITY_AGENT_MISMATCH'
  | 'CAPABILITY_AMOUNT_EXCEEDED'
  | 'CAPABILITY_EXPIRED'
  | 'CAPABILITY_MISSING'
  | 'CERTIFICATE_NOT_FOUND'
  | 'CHAIN_ID_MISMATCH'
  | 'CHECKPOINT_NOT_FOUND'
  | 'CHUNK_NOT_FOUND'
  | 'CLOCK_NOT_BELIEVED'
  | 'CONSENSUS_KEY_PROOF_INVALID'
  | 'CONTENT_TYPE_UNSUPPORTED'
  | 'CONTRIBUTION_CONTENT_TAKEN'
  | 'CONTRIBUTION_ID_USED'
  | 'CONTRIBUTION_LIMIT_REACHED'
  | 'CONTRIBUTION_NOT_FOUND'
  | 'CONTRIBUTION_STATUS'
  | 'CONTRIBUTION_UNDER_VOTE'
  | 'CONTRIBUTION_UNKNOWN'
  | 'CURSOR_INVALID'
  | 'DELEGATION_INSUFFICIENT'
  | 'DELEGATION_LIMIT'
  | 'DELEGATION_TOO_SMALL'
  | 'DELEGATION_UNKNOWN'
  | 'DISPUTE_WINDOW_CLOSED'
  | 'DISPUTE_WINDOW_OPEN'
  | 'ENVELOPE_INVALID'
  | 'EVIDENCE_ALREADY_USED'
  | 'EVIDENCE_NOT_ABOUT'
  | 'EVIDENCE_NOT_CONFLICTING'
  | 'EVIDENCE_SIGNATURE_INVALID'
  | 'EXPIRY_TOO_FAR'
  | 'FAUCET_ACCOUNT_LIMIT'
  | 'FAUCET_DAILY_LIMIT'
  | 'FAUCET_DISABLED'
  | 'FAUCET_EMPTY'
  | 'FAUCET_REQUEST_LIMIT'
  | 'FOLLOWER_TAKES_NO_WRITES'
  | 'GENESIS_ALREADY_SEALED'
  | 'GENESIS_HASH_MISMATCH'
  | 'GENESIS_NOT_ENACTED'
  | 'GUARDIAN_UNKNOWN'
  | 'HEADERS_TOO_LARGE'
  | 'HEARTBEAT_ROOT_MISMATCH'
  | 'HEARTBEAT_SEQUENCE_STALE'
  | 'HISTORY_NOT_HELD'
  | 'HOST_NOT_ALLOWED'
  | 'INDEPENDENCE_GROUP_HEARD'
  | 'INDEPENDENCE_GROUP_INVALID'
  | 'INSUFFICIENT_BALANCE'
  | 'INTENT_EXPIRED'
  | 'INTERNAL_ERROR'
  | 'INVITATION_CLAIMED'
  | 'INVITATION_EXPIRED'
  | 'INVITATION_MISMATCH'
  | 'INVITATION_TOO_WIDE'
  | 'INVITATION_UNKNOWN'
  | 'INVITATION_WITHDRAWN'
  | 'KEY_ALREADY_REGISTERED'
  | 'KEY_MATERIAL_REFUSED'
  | 'MEMORY_CHECKPOINT_ID_USED'
  | 'MEMORY_CHECKPOINT_NOT_LATEST'
  | 'MEMORY_GENERATION_MISMATCH'
  | 'MEMORY_HANDOVER_EXPIRED'
  | 'MEMORY_HANDOVER_EXPIRY_TOO_FAR'
  | 'MEMORY_HANDOVER_ID_USED'
  | 'MEMORY_HANDOVER_OPEN'
  | 'MEMORY_HANDOVER_STALE'
  | 'MEMORY_HANDOVER_STATUS'
  | 'MEMORY_HANDOVER_UNKNOWN'
  | 'MEMORY_PARENT_MISMATCH'
  | 'MEMORY_REPLICAS_NOT_DISTINCT'
  | 'MEMORY_SOURCE_RUNTIME_MISMATCH'
  | 'MEMORY_STATE_ROOT_MISMATCH'
  | 'MESSAGE_ALREADY_ACKNOWLEDGED'
  | 'MESSAGE_EXPIRED'
  | 'MESSAGE_EXPIRY_TOO_FAR'
  | 'MESSAGE_ID_USED'
  | 'MESSAGE_LIMIT_REACHED'
  | 'MESSAGE_SENDER_MISMATCH'
  | 'MESSAGE_SEQUENCE_GAP'
  | 'MESSAGE_UNKNOWN'
  | 'METHOD_NOT_ALLOWED'
  | 'MINT_AUTHORITY_RENOUNCED'
  | 'MINT_AUTHORITY_UNKNOWN'
  | 'NAME_RESERVED'
  | 'NAME_TAKEN'
  | 'NODE_NOT_READY'
  | 'NONCE_REPLAYED'
  | 'NOT_A_GUARDIAN'
  | 'NOT_COMMITTEE_MEMBER'
  | 'NOT_CONTRIBUTION_AUTHOR'
  | 'NOT_ENGAGED_AUDITOR'
  | 'NOT_HANDOVER_AGENT'
  | 'NOT_HANDOVER_PROVIDER'
  | 'NOT_MESSAGE_RECIPIENT'
  | 'NOT_MINT_AUTHORITY'
  | 'NOT_RECEIPT_WORKER'
  | 'NOT_WORK_AGENT'
  | 'NOT_WORK_PARTY'
  | 'NOT_WORK_REQUESTER'
  | 'ORIGIN_NOT_ALLOWED'
  | 'ORIGIN_UNAVAILABLE'
  | 'OVERLOADED'
  | 'OWN_CONTRIBUTION'
  | 'OWN_DISPUTE'
  | 'PARAMETER_INVALID'
  | 'PAYLOAD_INVALID'
  | 'PRECONDITION_FAILED'
  | 'PROOF_TYPE_UNACCEPTED'
  | 'PROPOSAL_ID_USED'
  | 'PROPOSAL_LIMIT_REACHED'
  | 'PROPOSAL_NOT_FOUND'
  | 'PROPOSAL_NOT_PASSED'
  | 'PROPOSAL_NOT_VOTING'
  | 'PROPOSAL_SUBJECT_INVALID'
  | 'PROPOSAL_SUBJECT_TAKEN'
  | 'PROPOSAL_UNKNOWN'
  | 'PROPOSAL_VOTE_CAST'
  | 'PUBLIC_KEY_HASH_MISMATCH'
  | 'PUBLIC_KEY_INVALID'
  | 'RATE_LIMITED'
  | 'READINESS_GATES_FAILING'
  | 'RECEIPT_ALREADY_ATTRIBUTED'
  | 'RECIPIENT_IS_SENDER'
  | 'RECIPIENT_UNKNOWN'
  | 'RECOVERY_ALREADY_APPROVED'
  | 'RECOVERY_CANCELS_EXHAUSTED'
  | 'RECOVERY_DELAY_PENDING'
  | 'RECOVERY_NOT_APPROVED'
  | 'RECOVERY_NOT_CONFIGURED'
  | 'RECOVERY_NOT_FOUND'
  | 'RECOVERY_PENDING'
  | 'RECOVERY_THRESHOLD_INVALID'
  | 'REFERRER_INACTIVE'
  | 'REFERRER_UNKNOWN'
  | 'RELEASE_ARTIFACT_MISMATCH'
  | 'RELEASE_ID_USED'
  | 'RELEASE_ORIGINS_DEPENDENT'
  | 'RELEASE_VERSION_USED'
  | 'REPLY_TO_UNKNOWN'
  | 'REQUESTER_IS_WORKER'
  | 'REQUEST_INVALID'
  | 'REQUEST_TIMEOUT'
  | 'ROLE_ALREADY_HELD'
  | 'ROLE_MISSING'
  | 'ROLE_NOT_HELD'
  | 'ROLE_UNBONDING'
  | 'ROTATION_SIGNATURE_INVALID'
  | 'ROUTE_NOT_FOUND'
  | 'RUNTIME_ID_TAKEN'
  | 'RUNTIME_OFFER_EXPIRED'
  | 'RUNTIME_OFFER_EXPIRY_TOO_FAR'
  | 'RUNTIME_OFFER_UNAVAILABLE'
  | 'RUNTIME_PROVIDER_INACTIVE'
  | 'SEALING_OPEN_CHAIN'
  | 'SESSION_ACTION_MISSING'
  | 'SESSION_AMOUNT_EXCEEDED'
  | 'SESSION_BUDGET_EXCEEDED'
  | 'SESSION_EXISTS'
  | 'SESSION_EXPIRED'
  | 'SESSION_KEY_PROOF_INVALID'
  | 'SESSION_LIMIT'
  | 'SESSION_NOT_OWN'
  | 'SESSION_TOO_WIDE'
  | 'SESSION_UNKNOWN'
  | 'SIGNATURE_INVALID'
  | 'SIGNED_INTENT_REQUIRED'
  | 'STATE_CHECKPOINT_CERTIFICATE_UNAVAILABLE'
  | 'STORAGE_UNAVAILABLE'
  | 'TIMELOCK_RUNNING'
  | 'TOKEN_BALANCE_INSUFFICIENT'
  | 'TOKEN_CAP_EXCEEDED'
  | 'TOKEN_EXISTS'
  | 'TOKEN_NOT_FOUND'
  | 'TOKEN_UNKNOWN'
  | 'TRANSITION_NOT_FOUND'
  | 'UNBONDING_LIMIT'
  | 'VALIDATOR_FAULTY'
  | 'VALIDATOR_INACTIVE'
  | 'VALIDATOR_NOT_FOUND'
  | 'VALIDATOR_ROSTER_FULL'
  | 'VALIDATOR_STAKE_EMPTY'
  | 'VALIDATOR_UNKNOWN'
  | 'VERIFIER_BOND_EMPTY'
  | 'VERIFIER_ROSTER_FULL'
  | 'VERIFIER_UNKNOWN'
  | 'VOTE_ALREADY_CAST'
  | 'VOTE_WEIGHTLESS'
  | 'WALLET_ATTESTATION_EXISTS'
  | 'WALLET_ATTESTATION_LIMIT'
  | 'WORKER_BOND_INVALID'
  | 'WORKER_BOND_MISMATCH'
  | 'WORK_NOT_DISPUTED'
  | 'WORK_NOT_IN_VERIFICATION'
  | 'WORK_NOT_VERIFIED'
  | 'WORK_ORDER_EXISTS'
  | 'WORK_ORDER_LIMIT'
  | 'WORK_ORDER_NOT_ACCEPTED'
  | 'WORK_ORDER_NOT_FOUND'
  | 'WORK_ORDER_NOT_OPEN'
  | 'WORK_ORDER_UNKNOWN'
  | 'WORK_POLICY_INVALID'
  | 'WORK_RECEIPT_UNKNOWN'
  | 'WORK_RELEASED'
  | 'WORK_SPAN_TOO_SHORT'
  | 'WORK_TARGETED'
  | 'WORK_UNFINISHED_LIMIT'
  | 'WORK_UNPROVEN_LIMIT';
