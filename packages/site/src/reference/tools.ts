/** The node's tools only read; the signer's tools act for an owner. */
import { fence, listOf, NODE_URL, plain, table, type Page } from '../page.ts';
import { toolContract, type ToolContract } from './contract.ts';
import { PARAMETERS } from './examples.ts';
import { fieldList } from './schema-fields.ts';
import { describedOperations } from '@netd/server/operations';

const EFFECTS = {
  reads: 'reads: changes nothing',
  acts: 'acts: writes to the chain, and again does no more',
  spends: 'spends: money may leave the account',
} as const;

export function toolPages(): Page[] {
  const { node, signer, signerResources, signerPrompts } = toolContract();
  const ofNode = node.map((tool) => nodeTool(tool));
  const ofSigner = signer.map((tool) => signerTool(tool));
  return [
    {
      path: '/docs/tools',
      title: 'Tools',
      section: 'tools',
      isIndex: true,
      summary: `${node.length + signer.length} MCP tools: of the node, and of a signer with a budget`,
      markdown: `# Tools

What a model is given over MCP. [Delegate](/docs/guides/delegate) says how a signer gets its session and its budget.

## Of the node, at \`/mcp\`

Without keys and without writes.

${listOf(ofNode)}

## Of the signer, \`netd mcp\`

On the machine of the owner, with the key of a session. Only what the session may do is listed.

${listOf(ofSigner)}

## Resources of the signer

${table(
  ['Address', 'Is'],
  signerResources.map((one) => [
    `\`${one.uri ?? one.uriTemplate ?? ''}\``,
    `${one.title}: ${one.description}`,
  ]),
)}

## Prompts of the signer

${table(
  ['Prompt', 'Does'],
  signerPrompts.map(({ name, title, description }) => [`\`${name}\``, `${title}. ${description}`]),
)}
`,
    },
    ...ofNode,
    ...ofSigner,
  ];
}

function nodeTool(tool: ToolContract): Page {
  const { name, inputSchema, document } = tool;
  const read = describedOperations().operations.find(({ path }) => path === document);
  const required = (inputSchema['required'] ?? []) as string[];
  const known: Record<string, unknown> = {
    actorId: 'ada',
    action: 'faucet',
    payload: { amount: 5_000_000 },
  };
  const args = Object.fromEntries(
    required.map((one) => [one, known[one] ?? PARAMETERS[one] ?? one]),
  );
  const call = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  return page(tool, 'of the node', [
    ...(read
      ? [
          `Part of what [${read.operationId}](/docs/api/${read.operationId}) answers; \`full\` gives all of it.`,
        ]
      : []),
    '## Call',
    fence(
      'sh curl',
      `curl --fail-with-body ${NODE_URL}/mcp \\\n  -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \\\n  -d '${call}'`,
    ),
  ]);
}

function signerTool(tool: ToolContract): Page {
  const { effect = 'reads', needs = [] } = tool;
  return page(tool, 'of the signer', [
    table(
      ['A call', 'Actions its session needs'],
      [
        [
          EFFECTS[effect],
          needs.map((name) => `[\`${name}\`](/docs/actions/${name})`).join(', ') || 'none',
        ],
      ],
    ),
  ]);
}

function page(
  { name, title, description, inputSchema, outputSchema }: ToolContract,
  group: string,
  parts: readonly string[],
): Page {
  return {
    path: `/docs/tools/${name}`,
    title: name,
    section: 'tools',
    group,
    summary: title,
    markdown: `${[
      `# ${name}`,
      `**${plain(title)}.** ${plain(description)}`,
      ...parts,
      '## Arguments',
      fieldList(inputSchema) || 'None.',
      '## Answer',
      fieldList(outputSchema) || 'As it comes.',
    ].join('\n\n')}\n`,
  };
}
