export * from './accounting.ts';
export * from './action.ts';
export {
  REGISTRATION,
  requireDeclaredKey,
  requireSoundKey,
} from './actions/agents/register-agent.ts';
export { guardiansInForce } from './actions/keys/recovery.ts';
export { AgentBeacon } from './actions/presence/publish-beacon.ts';
export { ACTIONS } from './actions/registry.ts';
export * from './authority.ts';
export * from './block-execution.ts';
export * from './collections.ts';
export * from './counters.ts';
export * from './events.ts';
export * from './genesis.ts';
export * from './rule-error.ts';
export * from './state.ts';
