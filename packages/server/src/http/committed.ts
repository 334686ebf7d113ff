import type { Submission } from '@netd/ledger';
import { Receipt } from '@netd/protocol';
import {
  exactly,
  Type,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
} from '@netd/protocol/type';
import { Links } from '@netd/documents';
import { noStore } from './cache-policy.ts';
import { linkTo } from '../own-address.ts';
import type { HttpContext, Routes } from './context.ts';
import { ResourceBody, submitResource, type ResourceAction } from './resource.ts';
import { writeProblems } from './schemas.ts';
import { submitEnvelope } from './submit.ts';

const FRAME = { chainId: Type.String(), receipt: Receipt, links: Links };

export const CommittedFrame = Type.Object(FRAME, {
  title: 'Committed',
  description: 'What the answers to writes have in common, beside `schema`.',
});

interface Write<Content extends TProperties, Envelope> {
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  takes: [Submission['kind'], body: TSchema] | ResourceAction;
  name: string;
  title: string;
  description: string;
  content: Content;
  answer: (
    envelope: Envelope,
    receipt: Receipt,
    context: HttpContext,
  ) => Static<TObject<Content>> & { location?: string; links: Record<string, string> };
}

export function defineWrite<Content extends TProperties, Envelope>({
  path,
  operationId,
  tag,
  summary,
  takes,
  name,
  title,
  description,
  content,
  answer,
}: Write<Content, Envelope>): Routes {
  const schema = exactly(
    { schema: Type.Literal(name), ...FRAME, ...content },
    { title, description },
  );
  const [kind, body] = Array.isArray(takes) ? takes : [null, ResourceBody];
  return (app, context) => {
    const { chainId } = context.node.chain.identity;
    app.post(
      path,
      {
        schema: {
          operationId,
          tags: [tag],
          summary,
          body,
          response: { 201: schema, ...writeProblems() },
        },
      },
      async (request, reply) => {
        const { receipt, envelope } = await (kind === null
          ? submitResource(context, request, takes as ResourceAction)
          : submitEnvelope(context, request, kind));
        const transition = `/v1/transitions/${receipt.transitionHash}`;
        const { location = transition, ...facts } = answer(envelope as Envelope, receipt, context);
        const links = { ...facts.links, transition };
        return context.send(
          reply.code(201).header('location', linkTo(context.options.publicUrl, location)),
          { schema: name, chainId, ...facts, receipt, links },
          noStore,
        );
      },
    );
  };
}
