import type { TObject, Static } from '@netd/protocol/type';
import type { Agent, SessionOptions } from '@netd/sdk';
import type { Signer } from './signer.ts';

export interface Spending {
  /** In unet. */
  amount: number;
  counterparty: string | null;
  /** Quotes texts of the model and of strangers as JSON strings. */
  question: string;
  /** @throws if the chain would refuse the call, so that the owner is not asked */
  check: () => Promise<void>;
}

export interface ToolDefinition<Input extends TObject = TObject> {
  name: `agent_${string}`;
  title: string;
  description: string;
  input: Input;
  output: Readonly<Record<string, OutputType>>;
  /** `acts`: has effects, but never costs money. `spends`: may cost money. */
  effect: 'reads' | 'acts' | 'spends';
  /** The tool is listed only for sessions with all of these actions. */
  needs?: SessionOptions['actions'];
  spending?: (call: Call<Static<Input>>) => Promise<Spending | null>;
  run: (call: Call<Static<Input>>) => Promise<object>;
}

export type OutputType = 'string' | 'integer' | 'boolean' | 'object' | 'array' | 'any';

interface Call<Arguments> {
  agent: Agent;
  signer: Signer;
  args: Arguments;
}

export function defineTool<Input extends TObject>(tool: ToolDefinition<Input>): ToolDefinition {
  return tool;
}
