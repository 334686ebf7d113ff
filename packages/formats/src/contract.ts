import { AgentMetadata } from './agent-metadata.ts';
import { ChainReplay } from './chain-replay.ts';
import { PortableMemory } from './portable-memory.ts';
import { MemoryKeyContext, MessageContext, SealedContent, WorkContext } from './sealed-content.ts';
import { WorkScope } from './work-scope.ts';

export const FORMATS = {
  WorkScope,
  ChainReplay,
  AgentMetadata,
  SealedContent,
  MessageContext,
  WorkContext,
  MemoryKeyContext,
  PortableMemory,
};
