/** A model's session where its owner says nothing else. */

/** What a model works, hires, talks and remembers with. Payments are for its owner to add. */
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
