/** What a tool is, and what it may answer. */
import type { TObject, Static } from '@netd/protocol/type';
import type { Agent, SessionOptions } from '@netd/sdk';
import type { Signer } from './signer.ts';

/** The money that a call would take from the account, and the question to the owner. */
export interface Spending {
  /** unet */
  amount: number;
  /** The account that gets it, or may get it; null where that is open. */
  counterparty: string | null;
  /** The owner decides by it. Words of others and of the model stand in it as JSON strings. */
  question: string;
  /** Refuses what the chain would refuse, so that the owner is not asked about it. @throws what refuses it */
  check: () => Promise<void>;
}

export interface ToolDefinition<Input extends TObject = TObject> {
  name: `agent_${string}`;
  title: string;
  /** A description for the model that chooses. */
  description: string;
  input: Input;
  /** The members of its answer and their types. */
  output: Readonly<Record<string, OutputType>>;
  /** reads: changes nothing. acts: writes to the chain, and again does no more. spends: money may leave the account. */
  effect: 'reads' | 'acts' | 'spends';
  /** Actions that a session must have for it: without all of them it is not listed. */
  needs?: SessionOptions['actions'];
  /** Null where nothing would leave. */
  spending?: (call: Call<Static<Input>>) => Promise<Spending | null>;
  run: (call: Call<Static<Input>>) => Promise<object>;
}

export type OutputType = 'string' | 'integer' | 'boolean' | 'object' | 'array' | 'any';

interface Call<Arguments> {
  agent: Agent;
  signer: Signer;
  args: Arguments;
}

/** Keeps the arguments of `run` typed by the schema. */
export function defineTool<Input extends TObject>(tool: ToolDefinition<Input>): ToolDefinition {
  return tool;
}
