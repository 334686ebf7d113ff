import { ManifestDocument, manifestDocument } from '@netd/documents';
import { downloadFiles, loadDownloads, missingDownloads } from '../../downloads.ts';
import { makeOwnPackage } from '../../own-package.ts';
import type { Snapshot } from '@netd/engine';
import { byHeight } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { describedOperations, type Described } from '../operations.ts';
import { problems } from '../schemas.ts';

export const manifestRoutes: Routes = (app, context) => {
  let described: Described | null = null;

  app.get(
    '/v1/manifest',
    {
      schema: {
        operationId: 'getManifest',
        tags: ['network'],
        summary: 'Network and onboarding manifest for programs',
        response: { 200: ManifestDocument, ...problems() },
      },
    },
    async (_request, reply) => {
      await makeOwnPackage();
      await loadDownloads();
      const make = (snapshot: Snapshot): unknown => {
        described ??= describedOperations();
        return manifestDocument(snapshot, {
          publicUrl: context.options.publicUrl,
          described,
          downloads: downloadFiles(context.options.publicUrl),
          missing: missingDownloads(context.options.publicUrl).map(({ name, summary }) => ({
            path: `/downloads/${name}`,
            summary,
          })),
        });
      };
      return context.send(reply, make, byHeight);
    },
  );
};
