/** Titles and pictures of pages, for sites that show a link to them. */
import { readFileSync } from 'node:fs';
import { addressShare } from '@netd/client-limits';
import { ApiError } from '@netd/engine';
import { escapeInvisible } from '@netd/protocol/visible-text';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from './context.ts';
import { isLoopback } from './loopback.ts';
import { ownTurn } from './own-turn.ts';
import { escapeHtml } from './page.ts';
import { CARD_SIZE, svgOf } from './card.ts';
import { pageCard, stepsOf } from './page-card.ts';

/** Path of pictures. `index.png` is that of the front page, others are named like their pages. */
export const CARDS = '/explorer-cards/';
const FRONT = 'index';
const SUFFIX = '.png';

let fallback: Buffer | undefined;
const staticCard = (): Buffer =>
  (fallback ??= readFileSync(new URL('../../cards/static.png', import.meta.url)));

/** Leaves emoji whole: some hold characters that are invisible elsewhere. */
const visible = (text: string): string =>
  text
    .split(/(\p{RGI_Emoji})/v)
    .map((part, at) => (at % 2 === 1 ? part : escapeInvisible(part)))
    .join('');

/** Returns the tags of a page; no tags if nothing is to be shown of it. */
export function headOf(
  context: HttpContext,
  { url, headers }: Pick<FastifyRequest, 'url' | 'headers'>,
): { meta?: string; title?: string } {
  const steps = stepsOf(url);
  const card = steps && context.read((snapshot) => pageCard(snapshot, steps));
  if (!card) return {};
  const isFront = steps.length === 0;
  const title = visible(isFront ? card.title : `${card.title} · ${card.kind}`);
  const description = visible(`${card.facts.join('. ')}.`);
  const tags: [name: string, content: string | number][] = [
    ['og:site_name', 'netd'],
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
  ];
  const origin = originOf(context, headers.host ?? '');
  if (origin !== null) {
    const path = steps.map(encodeURIComponent).join('/');
    tags.push(
      ['og:url', `${origin}/${path}`],
      ['og:image', `${origin}${CARDS}${isFront ? FRONT : path}${SUFFIX}`],
      ['og:image:type', 'image/png'],
      ['og:image:width', CARD_SIZE.width],
      ['og:image:height', CARD_SIZE.height],
      ['og:image:alt', title],
    );
  }
  const lines = tags.map(
    ([name, content]) => `<meta property="${name}" content="${escapeHtml(String(content))}" />`,
  );
  lines.push('<meta name="twitter:card" content="summary_large_image" />');
  const meta = lines.map((line) => `\n    ${line}`).join('');
  return isFront ? { meta } : { meta, title: `${title} · netd` };
}

/**
 * Returns the public URL. A node without one can be reached at its own loopback names only; any other host
 * of a request was chosen by its sender.
 */
function originOf({ options: { publicUrl } }: HttpContext, host: string): string | null {
  const own = new URL(publicUrl);
  const nameOf = ({ hostname }: URL): string => hostname.replaceAll(/[[\]]/g, '');
  const isEverywhere = ['0.0.0.0', '::'].includes(nameOf(own));
  if (!isEverywhere && !isLoopback(nameOf(own))) return publicUrl;
  const asked = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
  return asked?.host === host && asked.port === own.port && isLoopback(nameOf(asked))
    ? asked.origin
    : null;
}

/** @throws ApiError ROUTE_NOT_FOUND if nothing is to be shown there */
export async function sendCard(
  context: HttpContext,
  request: FastifyRequest<{ Params: { '*': string } }>,
  reply: FastifyReply,
): Promise<void> {
  const share = addressShare(request.ip);
  await ownTurn(reply.raw, share);
  const name = request.params['*'];
  const page = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : '';
  const steps = page === FRONT ? [] : page.split('/');
  const card = context.read((snapshot) => pageCard(snapshot, steps));
  if (card === null) throw new ApiError('ROUTE_NOT_FOUND');
  const png = await context.cards.png(svgOf(card), share);
  await reply
    .type('image/png')
    .header('cache-control', png === null ? 'no-store' : 'public, max-age=60')
    .header('x-content-type-options', 'nosniff')
    // Other sites show these pictures.
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(png ?? staticCard());
}
