import { submitProtocolContribution } from '@netd/ledger';
import { ActorId, Hash, RecordId, type SignedIntent } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { defineCommitted, sendCommitted } from '../committed.ts';
import type { Routes } from '../context.ts';
import { ResourceBody, submitResource } from '../resource.ts';
import { writeProblems } from '../schemas.ts';

const ContributionCommitted = defineCommitted(
  'NET-CONTRIBUTION-COMMITTED/1',
  {
    status: Type.Literal('committed'),
    agentId: ActorId,
    contributionId: RecordId,
    contributionStatus: Type.Literal('BUILD_VERIFICATION'),
    contentHash: Hash,
  },
  {
    title: 'ContributionCommitted',
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
        response: { 201: ContributionCommitted.schema, ...writeProblems() },
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
      return sendCommitted(context, reply, ContributionCommitted, {
        location: `/v1/protocol/contributions/${contributionId}`,
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
      });
    },
  );
};
