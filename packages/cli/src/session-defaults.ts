/** Defaults of a model's session. */
import type { SchemaOf } from '@netd/sdk';

type AgentAction = Extract<SchemaOf<'PolicyAction'>, SchemaOf<'SessionAction'>>;

/** True if a model may do it by default: work, hire, talk, remember. The owner may add the others. */
const BY_MODELS: Readonly<Record<AgentAction, boolean>> = {
  acceptWork: true,
  submitWorkResult: true,
  settleVerifiedWork: true,
  releaseWork: true,
  createWorkOrder: true,
  cancelWorkOrder: true,
  openDispute: true,
  sendAgentMessage: true,
  acknowledgeAgentMessage: true,
  commitMemoryCheckpoint: true,
  publishBeacon: false,
  withdrawBeacon: false,
  submitNodeHeartbeat: false,
  prepareMemoryHandover: false,
  finalizeMemoryHandover: false,
  abortMemoryHandover: false,
  submitProtocolContribution: false,
  attributeContributionReceipt: false,
  sealMainnetGenesis: false,
  faucet: false,
  transfer: false,
  createToken: false,
  mintToken: false,
  renounceMintAuthority: false,
  transferToken: false,
  burnToken: false,
  delegate: false,
  undelegate: false,
};

export const MODEL_ACTIONS: readonly string[] = Object.entries(BY_MODELS).flatMap(
  ([action, isDefault]) => (isDefault ? [action] : []),
);

/** In unet. */
export const SESSION_BUDGET = 5_000_000;
export const SESSION_BLOCKS = 100_000;
