/** A model's session where its owner says nothing else. */

/** Actions that a session for a model may do by default: work, hire, talk, remember. Its owner may add payments. */
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

/** The budget of a session by default, in unet. */
export const SESSION_BUDGET = 5_000_000;
export const SESSION_BLOCKS = 100_000;
