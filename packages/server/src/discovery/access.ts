import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '@netd/engine';
import type { ServerOptions } from '../http/context.ts';

export function checkAccess({ headers }: FastifyRequest, options: ServerOptions): void {
  const { hostname } = new URL(options.publicUrl);
  const { hosts, origins } = options.allowed ?? { hosts: [], origins: [] };
  const host = validateHostHeader(headers.host, [
    ...localhostAllowedHostnames(),
    hostname,
    ...hosts,
  ]);
  if (!host.ok) throw new ApiError('HOST_NOT_ALLOWED');
  const origin = validateOriginHeader(headers.origin, [
    ...localhostAllowedOrigins(),
    hostname,
    ...origins,
  ]);
  if (!origin.ok) throw new ApiError('ORIGIN_NOT_ALLOWED');
}
