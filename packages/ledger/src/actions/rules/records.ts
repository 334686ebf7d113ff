import type { ChainPosition, JsonObject } from '@netd/protocol';
import { Type } from '@netd/protocol/type';

export const ScheduledVersion = Type.Integer({
  minimum: 2,
  maximum: 1_000_000,
  description: 'The scheduled one.',
});

export interface RulesRecord {
  artifactHash: string | null;
  /** First height of the version. Earlier blocks of this state's branch follow the previous one. */
  fromHeight: number;
  previousVersion: number;
  version: number;
}

export interface RulesScheduleRecord {
  artifactHash: string;
  /** True from the block before its height on: the version takes effect, and nothing can stop it. */
  decided: boolean;
  height: number;
  /** Header time in milliseconds that the block before its height must have reached. */
  notBefore: number;
  /** Values for members that the version adds to the policy. */
  policy: JsonObject;
  postponements: number;
  readyIds: string[];
  releaseId: string | null;
  scheduledAt: ChainPosition;
  scheduledBy: string;
  version: number;
}
