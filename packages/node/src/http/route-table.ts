/** Which methods each path answers, for 405 and its Allow header (RFC 9110 section 15.5.6). */
import type { RouteOptions } from 'fastify';

export class RouteTable {
  private readonly routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  add({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    if (url.includes('*')) return;
    const known = this.routes.get(url) ?? {
      pattern: patternOf(url),
      methods: new Set(['OPTIONS']),
    };
    for (const name of [method].flat()) known.methods.add(name);
    this.routes.set(url, known);
  }

  /** The methods of every route that the path of a URL matches, sorted; none where nothing is there. */
  methodsAt(url: string): string[] {
    const path = url.split('?')[0] ?? '';
    const methods = new Set<string>();
    for (const route of this.routes.values()) {
      if (route.pattern.test(path)) for (const method of route.methods) methods.add(method);
    }
    return [...methods].sort();
  }
}

/** A doubled colon is a literal one, a single colon begins a parameter, perhaps with an expression in parentheses. */
function patternOf(url: string): RegExp {
  const parts = url.split(/(::|:[A-Za-z]+(?:\([^)]*\))?)/).map((part) => {
    if (part === '::') return ':';
    if (part.startsWith(':')) return '[^/]+';
    return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}
