/** What a follower and its origin are both asked, and what of their answers has to be the same bytes. */
import type { JsonObject } from '@netd/protocol';
import { DOWNLOADS } from '@netd/server/testing';
import { OWN_ANSWERS } from '@netd/sync/testing';
import type { HttpNode } from './http-node.ts';

export interface Question {
  path: string;
  /** Posted; without it, a GET. */
  body?: JsonObject;
}

export const A2A_PATH = '/a2a/v1/message:send';
/** In the manifest, the hashes of the downloads that name the node they are from; no other hash may differ. */
const OWN_HASHES = new RegExp(
  `(?<="path":"/downloads/(?:${DOWNLOADS.filter(({ asksNode }) => asksNode)
    .map(({ name }) => name.replaceAll('.', '\\.'))
    .join('|')})","sha256":")[a-f0-9]{64}`,
  'g',
);
/** In the Agent Card. */
const SIGNATURES = /"signatures":\[[^\]]*\],/;
/** Made anew for each answer. */
const NEW_ID = /(?<="(?:messageId|requestId)":")[^"]+/;

/** All that a GET answers and that can be compared, as in /openapi.json: parameters stand in braces. */
export async function comparedPaths(writer: HttpNode): Promise<string[]> {
  const { paths } = await writer.description();
  const own = OWN_ANSWERS.flatMap((row) => (row.apartFrom === null ? row.paths : []));
  return Object.entries(paths).flatMap(([path, operations]) =>
    'get' in operations && !own.includes(path) ? [path] : [],
  );
}

const isAt = (template: string, where: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(where);

/** Those that can be asked as they are. */
export async function plainPaths(writer: HttpNode): Promise<string[]> {
  return (await comparedPaths(writer)).filter((path) => !path.includes('{'));
}

/**
 * The status and the bytes that a node answers, refusals too, apart from what no two nodes have in common.
 * @param url of the node that is asked
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
