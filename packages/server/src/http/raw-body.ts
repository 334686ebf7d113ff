import type { FastifyInstance } from 'fastify';
import { ApiError } from '@netd/engine';

export function takeRawBodies(app: FastifyInstance, mediaType: string): void {
  app.addContentTypeParser(mediaType, { parseAs: 'buffer' }, (request, body, done) => {
    if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') {
      done(null, body);
    } else {
      const message = 'a body must come without content encoding';
      done(new ApiError('CONTENT_TYPE_UNSUPPORTED', { message }));
    }
  });
}
