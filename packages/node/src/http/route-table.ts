/** Which methods each path answers, for 405 and its Allow header (RFC 9110 section 15.5.6). */
import type { RouteOptions } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';

/** Every method a route here can have, sorted; OPTIONS is answered everywhere. */
const METHODS: readonly HTTPMethod[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** The routes of the server in a router of its own: the framework's does not tell what other methods would find. */
export class RouteTable {
  private readonly router: ReturnType<typeof findMyWay>;

  constructor(options: { maxParamLength: number }) {
    this.router = findMyWay(options);
  }

  add({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    this.router.on([method].flat() as HTTPMethod[], url, () => undefined);
  }

  /** The methods of every route that the path of a URL matches, sorted; none where nothing is there. */
  methodsAt(url: string): string[] {
    const found = METHODS.filter((method) => this.router.find(method, url) !== null);
    return found.length === 0 ? [] : [...found, 'OPTIONS'].toSorted();
  }
}
