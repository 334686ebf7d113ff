/** A service is one value: its worker serves it, its buyers call it, and MCP and A2A describe it. */
import { checkSchemaAt } from '@netd/formats';
import { netText } from '@netd/protocol';
import type { NetAmount } from '../amount.ts';
import { requireOptions, shown, type OptionNames } from '../option-names.ts';
import { AgentError } from './agent-error.ts';
import { unetOf } from './amount.ts';
import { requireHandler, requireObject, requireText } from './arguments.ts';
import { refuseArgument } from './core-error.ts';
import type { TypedHireOptions } from './hire-options.ts';
import type { WorkOrder } from './parts.ts';
import { RETRY_OPTIONS, type RetryPolicy } from './retry-policy.ts';
import type { TypeSchema } from './type-schema.ts';
import { jsonSchemaOf } from './typed-work.ts';
import type { Job } from './work-job.ts';

/** Argument of `defineService`. */
export interface ServiceDefinition<Input, Parsed, Result> {
  /** The `jobType` of its orders, and the title that everyone can read. */
  name: string;
  /** Description for workers and models; default the name. */
  description?: string | undefined;
  /** Type of the input. A buyer gives its input side, and the handler gets its output side. */
  input: TypeSchema<Input, Parsed>;
  /** Type of the result. Its JSON Schema is the acceptance. */
  output: TypeSchema<unknown, Result>;
  /** Pay for one call, more than 0, and the least funding that the worker accepts. */
  price: NetAmount | number;
  /** Does the work. Treat `job.data` as untrusted content. A buyer needs none. */
  handler?: ServiceHandler<Parsed, Result> | undefined;
  /** Calls of a handler that fails; default three, and then the order is given back. */
  retry?: RetryPolicy | undefined;
}

/** Does the work of a service. */
export type ServiceHandler<Parsed, Result> = (
  job: Job<Parsed>,
) => NoInfer<Result> | Promise<NoInfer<Result>>;

/** A service with the JSON Schemas of its types, named as MCP names them in a tool. */
export interface Service<Input, Parsed, Result> extends ServiceDefinition<Input, Parsed, Result> {
  /** Description for workers and models. */
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Record<string, unknown>;
  /** JSON Schema of the result. */
  readonly outputSchema: Record<string, unknown>;
}

/** A service that a worker can serve, because it has a handler. */
export interface ServedService<Input, Parsed, Result> extends Service<Input, Parsed, Result> {
  /** Does the work. */
  handler: ServiceHandler<Parsed, Result>;
}

/** The most characters that the rules allow in the type of an order. */
const MAX_NAME_LENGTH = 128;

const MEMBERS: OptionNames<ServiceDefinition<unknown, unknown, unknown>> = {
  name: true,
  description: true,
  input: true,
  output: true,
  price: true,
  handler: true,
  retry: true,
};
/** A defined service can be defined again, which ignores its schemas and derives them again. */
const WHOLE = { ...MEMBERS, inputSchema: true, outputSchema: true } as const;

/** @throws AgentError AMOUNT_INVALID, ARGUMENT_INVALID */
export function requireService(
  service: Pick<AnyService, 'name' | 'input' | 'output' | 'price' | 'retry'>,
): void {
  requireObject('service', service);
  const { name, input, output, price, retry = {} } = service;
  requireText('name', name);
  if (name.length > MAX_NAME_LENGTH) {
    const detail = `name: ${name.length} characters are too many: it names the type of an order, which has at most ${MAX_NAME_LENGTH}`;
    refuseArgument('name', detail);
  }
  requireOptions('retry', retry, RETRY_OPTIONS);
  jsonSchemaOf(input, 'input', 'input');
  checkSchemaAt(jsonSchemaOf(output, 'output', 'output'), '/output');
  // An order pays something, so a call would be refused.
  if (unetOf(price, 'price') === 0) {
    throw new AgentError('AMOUNT_INVALID', 'price: 0', { data: { path: '/price' } });
  }
}

/**
 * Defines a service for `agent.serve`, which needs a handler, and `agent.call`, which needs none. A worker can add
 * its handler to the service that buyers import: `defineService({ ...service, handler })`.
 * @throws AgentError AMOUNT_INVALID, ARGUMENT_INVALID, OPTION_UNKNOWN; FormatError SCOPE_UNJUDGEABLE if a type has
 *   no JSON Schema, or if no jury could judge a result by its schema
 */
export function defineService<Input, Parsed, Result>(
  definition: ServiceDefinition<Input, Parsed, Result> & {
    handler: ServiceHandler<Parsed, Result>;
  },
): ServedService<Input, Parsed, Result>;
export function defineService<Input, Parsed, Result>(
  definition: ServiceDefinition<Input, Parsed, Result>,
): Service<Input, Parsed, Result>;
export function defineService<Input, Parsed, Result>(
  definition: ServiceDefinition<Input, Parsed, Result>,
): Service<Input, Parsed, Result> {
  requireOptions('defineService', definition, isDefined(definition) ? WHOLE : MEMBERS);
  const { name, description = name, input, output, handler } = definition;
  requireService(definition);
  if (handler !== undefined) requireHandler('defineService', handler);
  return Object.freeze({
    ...definition,
    description,
    inputSchema: jsonSchemaOf(input, 'input', 'input'),
    outputSchema: jsonSchemaOf(output, 'output', 'output'),
  });
}

const isDefined = (given: unknown): boolean =>
  Object.hasOwn(Object(given) as object, 'outputSchema');

/** The members of an order that name a service. */
export type ServiceOrder = Pick<WorkOrder, 'jobType' | 'funding'>;

/** Says why a service that an order asks for is not served, or null. */
export function unservedOf(
  services: ReadonlyMap<string, AnyService>,
  { jobType, funding }: ServiceOrder,
): string | null {
  const service = services.get(jobType);
  if (!service) return `its type is ${shown(jobType)}, which this agent does not serve`;
  const least = unetOf(service.price, 'price');
  if (funding >= least) return null;
  return `it pays ${netText(funding)}, but the price of ${shown(jobType)} is ${netText(least)}`;
}

/** A service to serve, of types that the compiler need not know. */
export type AnyService = Omit<Service<unknown, unknown, unknown>, 'handler'> & {
  handler: (job: Job<never>) => unknown;
};

/** Options of `call`: those of `hire` that the service does not set. */
export type CallOptions = Partial<
  Omit<TypedHireOptions<unknown>, 'returns' | 'input' | 'jobType' | 'deliverable'>
>;
