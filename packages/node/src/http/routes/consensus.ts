import { FinalityCertificate, Hash, ValidatorSet } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import type { Routes } from '../context.ts';
import { sendProblem } from '../problem.ts';
import { found, problems } from '../schemas.ts';

const CertificateParams = Type.Object({ certificateHash: Hash });

export const consensusRoutes: Routes = (app, context) => {
  app.get(
    '/v1/consensus/certificates/latest',
    {
      schema: {
        operationId: 'getLatestCertificate',
        tags: ['consensus'],
        summary: 'The finality certificate of the newest block',
        response: { ...found(FinalityCertificate), ...problems(404) },
      },
    },
    (request, reply) => context.document(request, reply, (snapshot) => snapshot.block.certificate),
  );

  app.get<{ Params: Static<typeof CertificateParams> }>(
    '/v1/consensus/certificates/:certificateHash',
    {
      schema: {
        operationId: 'getCertificate',
        tags: ['consensus'],
        summary: 'A finality certificate by its hash',
        params: CertificateParams,
        response: { ...found(FinalityCertificate), ...problems(404) },
      },
    },
    (request, reply) => {
      const certificate = context.read((snapshot) => {
        const height = snapshot.heightOfCertificate(request.params.certificateHash);
        return height === null ? null : snapshot.blockAt(height)?.certificate;
      });
      if (!certificate) return sendProblem(reply, 'CERTIFICATE_NOT_FOUND');
      return context.immutable(request, reply, certificate);
    },
  );

  app.get(
    '/v1/consensus/validator-set',
    {
      schema: {
        operationId: 'getValidatorSet',
        tags: ['consensus'],
        summary: 'The validators whose votes certify blocks',
        response: { ...found(ValidatorSet), ...problems() },
      },
    },
    (request, reply) =>
      context.document(request, reply, () => context.node.chain.identity.validatorSet),
  );
};
