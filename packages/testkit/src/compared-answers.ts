/** Questions for a follower and its origin, and the bytes of the answers that must match. */
import type { JsonObject } from '@netd/protocol';
import { DOWNLOADS } from '@netd/server/testing';
import { OWN_ANSWERS } from '@netd/sync/testing';
import type { HttpNode } from './http-node.ts';

export interface Question {
  path: string;
  /** The body of a POST; absent for a GET. */
  body?: JsonObject;
}

export const A2A_PATH = '/a2a/v1/message:send';
/** Manifest hashes of downloads that name their node. All other hashes must match. */
const OWN_HASHES = new RegExp(
  `(?<="path":"/downloads/(?:${DOWNLOADS.filter(({ asksNode }) => asksNode)
    .map(({ name }) => name.replaceAll('.', '\\.'))
    .join('|')})","sha256":")[a-f0-9]{64}`,
  'g',
);
/** Signatures of the Agent Card. */
const SIGNATURES = /"signatures":\[[^\]]*\],/;
/** Generated for each answer. */
const NEW_ID = /(?<="(?:messageId|requestId)":")[^"]+/;

/** Returns the comparable GET paths of /openapi.json, with parameters in braces. */
export async function comparedPaths(writer: HttpNode): Promise<string[]> {
  const { paths } = await writer.description();
  const own = OWN_ANSWERS.flatMap((row) => (row.apartFrom === null ? row.paths : []));
  return Object.entries(paths).flatMap(([path, operations]) =>
    'get' in operations && !own.includes(path) ? [path] : [],
  );
}

const isAt = (template: string, where: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(where);

/** Returns the comparable paths without parameters. */
export async function plainPaths(writer: HttpNode): Promise<string[]> {
  return (await comparedPaths(writer)).filter((path) => !path.includes('{'));
}

/**
 * Returns status and bytes of an answer or refusal, without the parts that are unique to a node.
 * @param url address of the node
 */
export async function comparedAnswer(url: string, { path, body }: Question): Promise<string> {
  const headers = {
    'content-type': path === A2A_PATH ? 'application/a2a+json' : 'application/json',
    accept: body === undefined ? 'application/json' : 'application/json, text/event-stream',
    'a2a-version': '1.0',
  };
  const response = await fetch(
    url + path,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  );
  const answer = `${response.status} ${await response.text()}`;
  const [where = ''] = path.split('?');
  const row = OWN_ANSWERS.find(({ paths }) => paths.some((template) => isAt(template, where)));
  const apartFrom = row?.apartFrom ?? null;
  let text =
    apartFrom === null
      ? answer
      : answer.replaceAll(url, 'here').replaceAll(new URL(url).host, 'here');
  if (apartFrom === 'address and hashes') text = text.replaceAll(OWN_HASHES, 'hash');
  if (apartFrom === 'address and signature') text = text.replace(SIGNATURES, '');
  return text.replace(NEW_ID, 'new');
}
