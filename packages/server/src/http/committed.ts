/** The 201 answer of writes. */
import { Receipt } from '@netd/protocol';
import { Type, type Static, type TObject, type TProperties } from '@netd/protocol/type';
import type { FastifyReply } from 'fastify';
import { Links } from '@netd/documents';
import { noStore } from './cache-policy.ts';
import { linkTo } from '../own-address.ts';
import type { HttpContext } from './context.ts';

const FRAME = { chainId: Type.String(), receipt: Receipt, links: Links };

/** For the OpenAPI description. */
export const CommittedFrame = Type.Object(FRAME, {
  title: 'Committed',
  description: 'What the answers to writes have in common, beside `schema`.',
});

interface Committed<Content extends TProperties> {
  /** Such as NET-INTENT-COMMITTED/1. */
  readonly name: string;
  readonly schema: TObject<Content & typeof FRAME>;
}

/** @param content beside schema, chainId, receipt and links */
export function defineCommitted<Content extends TProperties>(
  name: string,
  content: Content,
  about: { title: string; description: string },
): Committed<Content> {
  const schema = Type.Object(
    { schema: Type.Literal(name), ...FRAME, ...content },
    { ...about, additionalProperties: false },
  );
  return { name, schema };
}

/** With a Location header. */
export function sendCommitted<Content extends TProperties>(
  context: HttpContext,
  reply: FastifyReply,
  { name }: Committed<Content>,
  answer: { location: string } & Omit<Static<TObject<Content & typeof FRAME>>, 'chainId'>,
): FastifyReply | Promise<FastifyReply> {
  const { location, ...content } = answer;
  const { chainId } = context.node.chain.identity;
  return context.send(
    reply.code(201).header('location', linkTo(context.options.publicUrl, location)),
    { schema: name, chainId, ...content },
    noStore,
  );
}
