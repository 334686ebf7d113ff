import { Type } from '@netd/protocol/type';
import { ApiError } from '@netd/engine';
import { downloadFile, DOWNLOADS } from '../../downloads.ts';
import { linkTo } from '../../own-address.ts';
import { makeOwnPackage } from '../../own-package.ts';
import { byChain } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { File } from '../encoded-document.ts';
import { problems } from '../schemas.ts';

export const downloadRoutes: Routes = (app, context) => {
  // The manifest lists the files with their hashes.
  app.get('/downloads', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .redirect(linkTo(context.options.publicUrl, '/v1/manifest'), 302),
  );
  for (const download of DOWNLOADS) {
    const { name, stableName, operationId, summary, mediaType, schema = Type.String() } = download;
    const [type = mediaType] = mediaType.split(';');
    const content = { [type]: { schema } };
    app.get(
      `/downloads/${name}`,
      {
        schema: {
          operationId,
          tags: ['downloads'],
          summary,
          response: {
            200: { description: 'The file.', content },
            206: { description: 'What Range asks for.', content },
            ...problems(404, 416),
          },
        },
      },
      async (_request, reply) => {
        await makeOwnPackage();
        const file = downloadFile(download, context.options.publicUrl);
        if (file === null) throw new ApiError('DOWNLOAD_NOT_BUILT');
        // Another build may have a different file of this name.
        return context.send(reply, new File(mediaType, file.bytes), byChain);
      },
    );
    if (stableName === undefined) continue;
    app.get(`/downloads/${stableName}`, { schema: { hide: true } }, (_request, reply) =>
      reply.header('cache-control', 'no-cache').redirect(name, 302),
    );
  }
};
