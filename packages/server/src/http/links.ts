/** Links for other programs, also for the `Link` header (RFC 8288). */
import { linkTo } from '../own-address.ts';

export const WELL_KNOWN = {
  agentCard: '/.well-known/agent-card.json',
  keys: '/.well-known/jwks.json',
  aiCatalog: '/.well-known/ai-catalog.json',
  mcpServerCard: '/.well-known/mcp/server-card.json',
  robots: '/robots.txt',
  securityText: '/.well-known/security.txt',
} as const;

const LINKS = [
  ['/openapi.json', 'rel="service-desc"; type="application/json"'],
  ['/docs', 'rel="service-doc"; type="text/html"'],
  ['/health', 'rel="status"; type="application/json"'],
  ['/v1/manifest', 'rel="service-meta"; type="application/json"'],
  ['/llms.txt', 'rel="describedby"; type="text/plain"'],
  [WELL_KNOWN.aiCatalog, 'rel="ai-catalog"; type="application/ai-catalog+json"'],
] as const;

export const linkHeader = (publicUrl: string): string =>
  LINKS.map(([path, about]) => `<${linkTo(publicUrl, path)}>; ${about}`).join(', ');
