import { ApiError } from '@netd/engine';
import { exactly, Type, type Static, type TSchema } from '@netd/protocol/type';
import { VERSION } from '@netd/protocol/version';
import { agentSkillFile } from '../downloads.ts';
import { hostOf, reversedHost } from '../own-address.ts';
import { byRestart, revalidate } from '../http/cache-policy.ts';
import type { Routes } from '../http/context.ts';
import { Text } from '../http/encoded-document.ts';
import { WELL_KNOWN } from '../http/links.ts';
import { problems } from '../http/schemas.ts';
import { MCP_PATH } from './mcp-errors.ts';
import { MCP_SERVER_INFO, PROTOCOL_VERSIONS } from './mcp-pointer.ts';

const CARD_TYPE = 'application/mcp-server-card+json';
const CATALOG_TYPE = 'application/ai-catalog+json';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json';

const McpServerCard = exactly(
  {
    $schema: Type.Literal(CARD_SCHEMA),
    name: Type.String({ pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
    title: Type.String({ maxLength: 100 }),
    description: Type.String({ maxLength: 100 }),
    version: Type.String(),
    websiteUrl: Type.String(),
    remotes: Type.Array(
      exactly({
        type: Type.Literal('streamable-http'),
        url: Type.String({ pattern: '^https?://[^\\s]+$' }),
        supportedProtocolVersions: Type.Array(Type.String(), { description: 'Newest first.' }),
      }),
    ),
  },
  { title: 'McpServerCard', description: 'An MCP Server Card (SEP-2127, draft).' },
);

const AiCatalog = exactly(
  {
    specVersion: Type.Literal('1.0'),
    host: exactly({
      displayName: Type.String(),
      identifier: Type.String({ description: 'The name at which this node is reached.' }),
      documentationUrl: Type.String(),
    }),
    entries: Type.Array(
      exactly({
        identifier: Type.String({ pattern: '^urn:air:[^:]+(:[^:]+)+$' }),
        type: Type.String(),
        url: Type.String(),
        displayName: Type.String(),
        description: Type.Optional(Type.String()),
      }),
    ),
  },
  { title: 'AiCatalog', description: 'An AI Catalog (draft 1.0).' },
);

function mcpServerCard(publicUrl: string): Static<typeof McpServerCard> {
  return {
    $schema: CARD_SCHEMA,
    name: `${reversedHost(publicUrl)}/${MCP_SERVER_INFO.name}`,
    title: MCP_SERVER_INFO.title,
    description:
      'Reads of a public devnet for autonomous agents: status, work, agents, how to join.',
    version: VERSION,
    websiteUrl: `${publicUrl}/docs`,
    remotes: [
      {
        type: 'streamable-http',
        url: `${publicUrl}${MCP_PATH}`,
        supportedProtocolVersions: PROTOCOL_VERSIONS,
      },
    ],
  };
}

function aiCatalog(publicUrl: string): Static<typeof AiCatalog> {
  const host = hostOf(publicUrl);
  const skill = agentSkillFile(publicUrl);
  return {
    specVersion: '1.0',
    host: {
      displayName: MCP_SERVER_INFO.title,
      identifier: host,
      documentationUrl: `${publicUrl}/docs`,
    },
    entries: [
      {
        identifier: `urn:air:${host}:mcp:netd`,
        type: CARD_TYPE,
        url: `${publicUrl}${WELL_KNOWN.mcpServerCard}`,
        displayName: 'Reads of this network, over MCP',
      },
      {
        identifier: `urn:air:${host}:a2a:netd`,
        type: 'application/a2a-agent-card+json',
        url: `${publicUrl}${WELL_KNOWN.agentCard}`,
        displayName: 'Questions, and work orders as tasks, over A2A',
      },
      ...(skill
        ? [
            {
              identifier: `urn:air:${host}:skill:netd`,
              type: 'application/agent-skills+zip',
              url: `${publicUrl}${skill.path}`,
              displayName: 'Live as an agent on this network',
              description: 'How to join, earn, hire, talk and remember, with the programs for it.',
            },
          ]
        : []),
    ],
  };
}

const ROBOTS = `# Programs: everything public is described at /openapi.json and /llms.txt.
User-agent: *
Allow: /
Disallow: /*?
Disallow: /v1/events
Disallow: /metrics
`;

const DAY_MS = 86_400_000;
/** RFC 9116 section 2.5.5 recommends less than a year. */
const VALID_DAYS = 180;

/** @param now rounded to days */
export function securityText(contact: string, publicUrl: string, now: number): string {
  const expires = new Date((Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS);
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    'Preferred-Languages: en',
    // The RFC requires https (sections 2.5.1 to 2.5.8).
    ...(publicUrl.startsWith('https://')
      ? [`Canonical: ${publicUrl}${WELL_KNOWN.securityText}`]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const content = (
  type: string,
  description: string,
  schema: TSchema = Type.String(),
): { description: string; content: Record<string, { schema: TSchema }> } => ({
  description,
  content: { [type.split(';')[0] ?? type]: { schema } },
});

export const wellKnownRoutes: Routes = (app, context) => {
  const { options } = context;
  const asText = (type: string, value: unknown): Text => new Text(type, JSON.stringify(value));

  app.get(
    WELL_KNOWN.mcpServerCard,
    {
      schema: {
        operationId: 'getMcpServerCard',
        tags: ['discovery'],
        summary: 'MCP Server Card',
        response: { 200: content(CARD_TYPE, 'The card.', McpServerCard), ...problems() },
      },
    },
    (_request, reply) =>
      context.send(reply, asText(CARD_TYPE, mcpServerCard(options.publicUrl)), byRestart),
  );
  app.get(
    WELL_KNOWN.aiCatalog,
    {
      schema: {
        operationId: 'getAiCatalog',
        tags: ['discovery'],
        summary: 'AI Catalog: the MCP server, the A2A agent and the agent skill of this node',
        response: { 200: content(CATALOG_TYPE, 'The catalogue.', AiCatalog), ...problems() },
      },
    },
    (_request, reply) =>
      context.send(reply, asText(CATALOG_TYPE, aiCatalog(options.publicUrl)), byRestart),
  );
  app.get(
    WELL_KNOWN.robots,
    {
      schema: {
        operationId: 'getRobotsText',
        tags: ['node'],
        summary: 'What crawlers are asked to leave alone (RFC 9309)',
        response: { 200: content(TEXT_TYPE, 'The rules.'), ...problems() },
      },
    },
    (_request, reply) => context.send(reply, new Text(TEXT_TYPE, ROBOTS), byRestart),
  );
  app.get(
    WELL_KNOWN.securityText,
    {
      schema: {
        operationId: 'getSecurityText',
        tags: ['node'],
        summary: 'The contact for security holes (RFC 9116), if the operator named one',
        response: { 200: content(TEXT_TYPE, 'The contact.'), ...problems(404) },
      },
    },
    (_request, reply) => {
      const { securityContact } = options;
      if (securityContact === undefined) throw new ApiError('NO_SECURITY_CONTACT');
      const text = securityText(securityContact, options.publicUrl, Date.now());
      return context.send(reply, new Text(TEXT_TYPE, text), revalidate);
    },
  );
};
