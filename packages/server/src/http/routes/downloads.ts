/** The files of the table of downloads, byte for byte. */
import { Type } from '@netd/protocol/type';
import { ApiError } from '@netd/engine';
import { downloadFile, DOWNLOADS } from '../../downloads.ts';
import { byChain } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { File } from '../encoded-document.ts';
import { problems } from '../schemas.ts';

export const downloadRoutes: Routes = (app, context) => {
  for (const download of DOWNLOADS) {
    const { name, operationId, summary, mediaType } = download;
    const [type = mediaType] = mediaType.split(';');
    app.get(
      `/downloads/${name}`,
      {
        schema: {
          operationId,
          tags: ['downloads'],
          summary,
          response: {
            200: { description: 'The file.', content: { [type]: { schema: Type.String() } } },
            ...problems(404),
          },
        },
      },
      (_request, reply) => {
        const file = downloadFile(download, context.options.publicUrl);
        if (file === null) {
          const message = 'This node was installed without its builds: npm run build makes them';
          throw new ApiError('ROUTE_NOT_FOUND', { message });
        }
        // Also where the name holds a version: a checkout builds another file under the same one.
        return context.send(reply, new File(mediaType, file.bytes), byChain);
      },
    );
  }
};
