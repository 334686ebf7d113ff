/** Finds the methods of a path, for 405 and Allow (RFC 9110 section 15.5.6). */
import type { RouteOptions } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';

declare module 'fastify' {
  interface FastifyContextConfig {
    notAllowed?: boolean;
  }
}

/** Sorted. OPTIONS is answered everywhere. */
const METHODS: readonly HTTPMethod[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

type Route = Pick<RouteOptions, 'url' | 'method'> & { config?: RouteOptions['config'] | undefined };

export class RouteTable {
  private readonly routes: Route[] = [];
  private readonly options: { maxParamLength: number };
  private router: ReturnType<typeof findMyWay> | null = null;

  constructor(options: { maxParamLength: number }) {
    this.options = options;
  }

  add({ url, method, config }: Route): void {
    this.routes.push({ url, method, config });
  }

  methodsAt(url: string): string[] {
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
