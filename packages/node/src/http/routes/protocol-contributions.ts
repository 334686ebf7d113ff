import { submitProtocolContribution } from '@netd/ledger';
import { ActorId, Hash, Receipt, RecordId, type SignedIntent } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { Links } from '../../documents/shared/links.ts';
import { noStore } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { ResourceBody, submitResource } from '../resource.ts';
import { writeProblems } from '../schemas.ts';

const ContributionCommitted = Type.Object(
  {
    status: Type.Literal('committed'),
    agentId: ActorId,
    contributionId: RecordId,
    contributionStatus: Type.Literal('BUILD_VERIFICATION'),
    contentHash: Hash,
    receipt: Receipt,
    links: Links,
  },
  {
    title: 'ContributionCommitted',
    additionalProperties: false,
    description: 'The contribution is committed; nothing was fetched or executed.',
  },
);

export const protocolContributionRoutes: Routes = (app, context) => {
  app.post(
    '/v1/protocol/contributions',
    {
      schema: {
        operationId: 'submitProtocolContribution',
        tags: ['protocol'],
        summary: 'Offer a contribution: the signed intent of submitProtocolContribution',
        body: ResourceBody,
        response: { 201: ContributionCommitted, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitResource(
        context,
        request,
        submitProtocolContribution,
      );
      const { payload } = envelope as unknown as SignedIntent;
      const { agentId, contributionId, contentHash } = payload as {
        agentId: string;
        contributionId: string;
        contentHash: string;
      };
      const answer: Static<typeof ContributionCommitted> = {
        status: 'committed',
        agentId,
        contributionId,
        contributionStatus: 'BUILD_VERIFICATION',
        contentHash,
        receipt,
        links: {
          contribution: `/v1/protocol/contributions/${contributionId}`,
          transition: `/v1/transitions/${receipt.transitionHash}`,
          proof: `/v1/state/proof?key=contribution/${contributionId}`,
        },
      };
      return context.send(
        reply.code(201).header('location', answer.links.contribution),
        answer,
        noStore,
      );
    },
  );
};
