import { AgentMetadata } from './agent-metadata.ts';
import { ChainReplay } from './chain-replay.ts';
import { PortableMemory } from './portable-memory.ts';
import { MemoryKeyContext, MessageContext, SealedContent, WorkContext } from './sealed-content.ts';
import { ProvableAcceptance } from './provable-acceptance.ts';
import { WorkScope } from './work-scope.ts';

export const FORMATS = {
  WorkScope,
  ProvableAcceptance,
  ChainReplay,
  AgentMetadata,
  SealedContent,
  MessageContext,
  WorkContext,
  MemoryKeyContext,
  PortableMemory,
};
