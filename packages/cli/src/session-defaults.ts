/** Defaults of a model's session. */

/** Default actions: work, hire, talk, remember. The owner may add payments. */
export const MODEL_ACTIONS: readonly string[] = [
  'acceptWork',
  'submitWorkResult',
  'settleVerifiedWork',
  'releaseWork',
  'createWorkOrder',
  'cancelWorkOrder',
  'openDispute',
  'sendAgentMessage',
  'acknowledgeAgentMessage',
  'commitMemoryCheckpoint',
];

/** In unet. */
export const SESSION_BUDGET = 5_000_000;
export const SESSION_BLOCKS = 100_000;
