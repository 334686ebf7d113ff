/** Which methods each path answers, for 405 and its Allow header (RFC 9110 section 15.5.6). */
import type { RouteOptions } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';

declare module 'fastify' {
  interface FastifyContextConfig {
    notAllowed?: boolean;
  }
}

/** Every method a route here can have, sorted; OPTIONS is answered everywhere. */
const METHODS: readonly HTTPMethod[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** `config.notAllowed` marks a route that is there only to say that its method is not. */
type Route = Pick<RouteOptions, 'url' | 'method'> & { config?: RouteOptions['config'] | undefined };

/** The routes of the server in a router of its own: the framework's does not tell what other methods would find. */
export class RouteTable {
  private readonly routes: Route[] = [];
  private readonly options: { maxParamLength: number };
  private router: ReturnType<typeof findMyWay> | null = null;

  constructor(options: { maxParamLength: number }) {
    this.options = options;
  }

  /** Takes note of a route, before the first question. */
  add({ url, method, config }: Route): void {
    this.routes.push({ url, method, config });
  }

  /** The methods of every route that the path of a URL matches, sorted; none where nothing is there. */
  methodsAt(url: string): string[] {
    // Made with the first unknown path, as a router takes its time.
    const router = (this.router ??= this.makeRouter());
    const found = METHODS.filter((method) => {
      const route = router.find(method, url);
      return route !== null && (route.store as Route['config'])?.notAllowed !== true;
    });
    return found.length === 0 ? [] : [...found, 'OPTIONS'].toSorted();
  }

  private makeRouter(): ReturnType<typeof findMyWay> {
    const router = findMyWay(this.options);
    for (const { url, method, config } of this.routes) {
      router.on([method].flat() as HTTPMethod[], url, () => undefined, config);
    }
    return router;
  }
}
