/** Each function takes the framework's own constructor, so that no framework is a dependency here. */
import type { AgentTool, AgentTools } from './agent-tools.ts';

type Make<Tool> = (definition: never) => Tool;

const callOf =
  (tools: AgentTools, { name }: AgentTool) =>
  (args: unknown): Promise<string> =>
    tools.call(name, args);

/**
 * For the OpenAI Agents SDK: `new Agent({ tools: openaiTools(tools, tool) })`.
 * @param tool of '@openai/agents'
 */
export const openaiTools = <Tool>(tools: AgentTools, tool: Make<Tool>): Tool[] =>
  tools.tools.map((each) => {
    const { name, description, inputSchema } = each;
    // Strict schemas allow no optional members.
    const parameters = { required: [], ...inputSchema, additionalProperties: true };
    const definition = {
      name,
      description,
      parameters,
      strict: false,
      execute: callOf(tools, each),
    };
    return tool(definition as never);
  });

/**
 * For LangChain and LangGraph: `model.bindTools(langchainTools(tools, tool))`.
 * @param tool of '@langchain/core/tools'
 */
export const langchainTools = <Tool>(
  tools: AgentTools,
  tool: (call: never, fields: never) => Tool,
): Tool[] =>
  tools.tools.map((each) => {
    const { name, description, inputSchema: schema } = each;
    return tool(callOf(tools, each) as never, { name, description, schema } as never);
  });

/** The compiler infers the last overload of `tool` in 'ai': a tool without `execute`, which no tool set takes. */
type ToolOfVercel = any; // oxlint-disable-line typescript/no-explicit-any

/**
 * For the AI SDK of Vercel: `generateText({ tools: vercelTools(tools, { tool, jsonSchema }) })`.
 * @param ai `tool` and `jsonSchema` of 'ai'
 */
export const vercelTools = (
  tools: AgentTools,
  ai: { tool: Make<unknown>; jsonSchema: (schema: never) => unknown },
): Record<string, ToolOfVercel> =>
  Object.fromEntries(
    tools.tools.map((each) => {
      const { name, description, inputSchema } = each;
      const schema = ai.jsonSchema(inputSchema as never);
      const definition = { description, inputSchema: schema, execute: callOf(tools, each) };
      return [name, ai.tool(definition as never)];
    }),
  );
