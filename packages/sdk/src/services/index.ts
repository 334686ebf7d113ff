/** Services from apps of web frameworks, and services for other protocols. Node only. */
export { expressHandler, fetchHandler, type EndpointHandler } from './endpoint.ts';
