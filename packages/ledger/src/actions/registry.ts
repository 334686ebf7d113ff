/** Every action there is. Adding one is one file and one line here. */
import type { Action } from '../action.ts';
import { faucet } from './accounts/faucet.ts';
import { transfer } from './accounts/transfer.ts';
import { extendAgentCapabilities } from './agents/extend-agent-capabilities.ts';
import { setAgentStatus } from './agents/set-agent-status.ts';
import { approveAgentRecovery } from './keys/approve-agent-recovery.ts';
import { cancelAgentRecovery } from './keys/cancel-agent-recovery.ts';
import { executeAgentRecovery } from './keys/execute-agent-recovery.ts';
import { requestAgentRecovery } from './keys/request-agent-recovery.ts';
import { rotateAgentKey } from './keys/rotate-agent-key.ts';
import { setAgentRecovery } from './keys/set-agent-recovery.ts';
import { publishBeacon } from './presence/publish-beacon.ts';
import { submitNodeHeartbeat } from './presence/submit-node-heartbeat.ts';
import { withdrawBeacon } from './presence/withdraw-beacon.ts';

export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  [
    publishBeacon,
    withdrawBeacon,
    submitNodeHeartbeat,
    extendAgentCapabilities,
    setAgentStatus,
    rotateAgentKey,
    setAgentRecovery,
    requestAgentRecovery,
    approveAgentRecovery,
    executeAgentRecovery,
    cancelAgentRecovery,
    faucet,
    transfer,
  ].map((action) => [action.name, action]),
);
