/** Tools for tests of agents: a private network with a clock that the test controls. Node only. */
export { NetworkStartError } from './find-netd.ts';
export { DEFAULT_SEED, labKey } from './lab-key.ts';
export { Liar, startLiar, type LiarOptions, type Lie } from './liar.ts';
export {
  ModelQuestionError,
  recordedModel,
  scriptedModel,
  type ModelDouble,
  type RecordedModelOptions,
  type ScriptedAnswer,
} from './model.ts';
export {
  Network,
  startNetwork,
  type BlockMode,
  type Laboratory,
  type NetworkOptions,
  type TestAgent,
} from './network.ts';
export type { TestRole, TestRoleOptions } from './roles.ts';
