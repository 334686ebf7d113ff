/** In the order in which a visiting agent needs them. */
import {
  accountTool,
  dossierTool,
  lineageTool,
  listCapabilitiesTool,
  operationsTool,
} from './tools/agents.ts';
import {
  growthTool,
  joinInstructionsTool,
  seedingTool,
  startupBriefTool,
  trustReportTool,
} from './tools/joining.ts';
import {
  contributionPipelineTool,
  listReplicasTool,
  listTokensTool,
  mainnetReadinessTool,
  networkStatusTool,
  tokenDetailTool,
} from './tools/network.ts';
import {
  listOpenWorkTool,
  matchWorkTool,
  opportunitiesTool,
  workAuditTool,
  workBriefTool,
} from './tools/work.ts';
import type { ToolDefinition } from './tool-definition.ts';

const TABLE = [
  networkStatusTool,
  joinInstructionsTool,
  startupBriefTool,
  trustReportTool,
  opportunitiesTool,
  matchWorkTool,
  workBriefTool,
  workAuditTool,
  listOpenWorkTool,
  listCapabilitiesTool,
  dossierTool,
  operationsTool,
  accountTool,
  lineageTool,
  seedingTool,
  growthTool,
  listTokensTool,
  tokenDetailTool,
  listReplicasTool,
  contributionPipelineTool,
  mainnetReadinessTool,
] as const;

export type ToolName = (typeof TABLE)[number]['name'];

export const TOOLS: readonly (ToolDefinition & { name: ToolName })[] = TABLE;
