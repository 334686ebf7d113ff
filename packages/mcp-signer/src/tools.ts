import { lookAroundTool, statusTool } from './tools/around.ts';
import { readDocumentTool } from './tools/documents.ts';
import { cancelWorkTool, checkHireTool, disputeWorkTool, hireTool } from './tools/hiring.ts';
import { recallTool, rememberTool } from './tools/memory.ts';
import { answerMessageTool, readMessagesTool, sendMessageTool } from './tools/messages.ts';
import { payTool } from './tools/money.ts';
import {
  acceptWorkTool,
  deliverWorkTool,
  findWorkTool,
  readWorkTool,
  releaseWorkTool,
  settleWorkTool,
} from './tools/work.ts';
import type { ToolDefinition } from './tool.ts';

export const TOOLS: readonly ToolDefinition[] = [
  statusTool,
  lookAroundTool,
  findWorkTool,
  readWorkTool,
  acceptWorkTool,
  deliverWorkTool,
  releaseWorkTool,
  settleWorkTool,
  hireTool,
  checkHireTool,
  cancelWorkTool,
  disputeWorkTool,
  readMessagesTool,
  sendMessageTool,
  answerMessageTool,
  recallTool,
  rememberTool,
  payTool,
  readDocumentTool,
];
