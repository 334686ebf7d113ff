/** A service as a tool of MCP and as a skill of A2A. */
import { refuseArgument } from '../agent/core-error.ts';
import type { Agent, CallOptions, Job, ServedService, Service, TypeSchema } from '../index.ts';
import { buyOnce } from './purchase.ts';

/** A type as a server of MCP takes it: `validate` returns the value as it was given. */
export interface McpSchema<Value> {
  readonly '~standard': Omit<TypeSchema<Value>['~standard'], 'jsonSchema'> & {
    readonly jsonSchema: Record<
      'input' | 'output',
      (options: { readonly target: string }) => Record<string, unknown>
    >;
  };
}

/** A tool as `registerTool` of `@modelcontextprotocol/server` takes it. */
export interface McpTool<Input> {
  name: string;
  config: {
    title: string;
    description: string;
    /** The service's type of input. */
    inputSchema: McpSchema<Input>;
    /** The service's type of result. */
    outputSchema: McpSchema<unknown>;
    annotations: { readOnlyHint: boolean; openWorldHint: boolean };
  };
  /** Returns a refusal or a failure as a result for the model, with `isError`. */
  handler: (input: Input, context?: unknown) => Promise<McpResult>;
}

/** Result of a call of a tool: JSON as structured content and as text. */
export interface McpResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** A skill for the `skills` of an agent card of A2A 1.0. */
export interface A2aSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples: string[];
  inputModes: string[];
  outputModes: string[];
  securityRequirements: never[];
}

const JSON_MODES = ['application/json'];

/**
 * Returns a tool that runs the service's handler here, without an order and without pay:
 * `server.registerTool(tool.name, tool.config, tool.handler)`. Of the job, the handler gets `data`, `attempt` and
 * `signal`.
 * @throws AgentError ARGUMENT_INVALID if the input or the result is no object, or there is no handler
 */
export function toMcp<Input, Parsed, Result>(
  service: ServedService<Input, Parsed, Result>,
): McpTool<Input> {
  const { name, handler } = service;
  if (typeof handler !== 'function') refuseArgument('handler', `${name} has no handler to run`);
  return toolOf(service, service.description, { isBought: false }, async (input, context) => {
    const parsed = await service.input['~standard'].validate(input);
    if (parsed.issues !== undefined) throw new Error(messagesOf(parsed.issues));
    const made = await service.output['~standard'].validate(
      await handler(jobWithoutOrder(parsed.value, signalOf(context))),
    );
    if (made.issues !== undefined) throw new Error(messagesOf(made.issues));
    return made.value;
  });
}

/**
 * Returns a tool whose every call hires: it orders the service, waits for the jury, and pays the price. A call ends
 * with the signal of its request, or after `options.timeout`; the error names the order. A call with the same
 * arguments continues an order that is still open, also after a restart, and pays once.
 * @param agent buys; a session bounds what it can spend
 * @throws AgentError ARGUMENT_INVALID if the input or the result is no object
 */
export function buyTool<Input, Parsed, Result>(
  agent: Agent,
  service: Service<Input, Parsed, Result>,
  options: Omit<CallOptions, 'id'> = {},
): McpTool<Input> {
  const price = typeof service.price === 'number' ? `${service.price} unet` : service.price;
  const words = `${service.description}\n\nEach call pays ${price} and the fee of a jury.`;
  return toolOf(service, words, { isBought: true }, async (input, context) => {
    const signals = [signalOf(context), ...(options.signal ? [options.signal] : [])];
    return buyOnce(agent, service, input, { ...options, signal: AbortSignal.any(signals) });
  });
}

/** Returns a skill for an agent card. Its tags are the name and `paid`, which says that a call is an order. */
export function toA2aSkill(
  service: Pick<Service<never, unknown, unknown>, 'name' | 'description'>,
): A2aSkill {
  const { name, description } = service;
  return {
    id: name,
    name,
    description,
    tags: [name, 'paid'],
    examples: [],
    inputModes: JSON_MODES,
    outputModes: JSON_MODES,
    securityRequirements: [],
  };
}

function toolOf<Input, Parsed, Result>(
  service: Service<Input, Parsed, Result>,
  description: string,
  { isBought }: { isBought: boolean },
  run: (input: Input, context: unknown) => Promise<Result>,
): McpTool<Input> {
  const { name, input, output, inputSchema, outputSchema } = service;
  for (const [side, schema] of Object.entries({ input: inputSchema, output: outputSchema })) {
    if (schema['type'] !== 'object') {
      refuseArgument(side, `${side} of ${name} is no object, which a tool of MCP needs`);
    }
  }
  return {
    name,
    config: {
      title: name,
      description,
      inputSchema: unparsed(input),
      outputSchema: unparsed(output),
      annotations: { readOnlyHint: false, openWorldHint: isBought },
    },
    handler: async (given, context) => {
      try {
        const value = (await run(given, context)) as Record<string, unknown>;
        const text = JSON.stringify(value);
        return { content: [{ type: 'text', text }], structuredContent: value };
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        return { content: [{ type: 'text', text }], isError: true };
      }
    },
  };
}

/** The server parses arguments. Buyers and handlers need them as sent, because the type parses them again. */
function unparsed<Input>(type: TypeSchema<Input, unknown>): McpSchema<Input> {
  const { types: _, ...standard } = type['~standard'];
  return {
    '~standard': {
      ...standard,
      jsonSchema: standard.jsonSchema as McpSchema<Input>['~standard']['jsonSchema'],
      validate: async (value) => {
        const parsed = await standard.validate(value);
        return parsed.issues === undefined ? { value: value as Input } : parsed;
      },
    },
  };
}

const messagesOf = (issues: readonly { message: string }[]): string =>
  issues.map(({ message }) => message).join('; ');

/** The server passes its context, which has the signal of the request. */
function signalOf(context: unknown): AbortSignal {
  const { mcpReq, signal } = (context ?? {}) as { mcpReq?: { signal?: unknown }; signal?: unknown };
  const found = mcpReq?.signal ?? signal;
  return found instanceof AbortSignal ? found : new AbortController().signal;
}

/** Refuses members that only an order has, so that a handler does not go on without them. */
function jobWithoutOrder<Parsed>(data: Parsed, signal: AbortSignal): Job<Parsed> {
  const job = { data, attempt: 1, signal };
  return new Proxy(job as Job<Parsed>, {
    get: (target, member, self) => {
      if (typeof member === 'string' && !(member in target)) {
        refuseArgument('handler', `job.${member} needs an order, and a call by MCP has none`);
      }
      return Reflect.get(target, member, self) as unknown;
    },
  });
}
