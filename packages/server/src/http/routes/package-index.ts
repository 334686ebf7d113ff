/** An index of our Python packages (PEP 503, PEP 691), so that uv and pip find them by their names. */
import { ApiError } from '@netd/engine';
import { Type } from '@netd/protocol/type';
import { labWheels, wheelFile, type DownloadFile } from '../../downloads.ts';
import { linkTo } from '../../own-address.ts';
import { byChain, revalidate } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { File, HTML_TYPE, Text } from '../encoded-document.ts';
import { escapeHtml } from '../page.ts';

const PROJECTS: Record<string, (publicUrl: string) => DownloadFile[] | Promise<DownloadFile[]>> = {
  netsdk: (publicUrl) => [wheelFile(publicUrl)].filter((file) => file !== null),
  'netsdk-lab': labWheels,
};
const JSON_TYPE = 'application/vnd.pypi.simple.v1+json';
/** A test compares it with pyproject.toml. */
const REQUIRES_PYTHON = '>=3.10';

interface Listing {
  json: object;
  links: readonly { href: string; text: string; requires?: string }[];
}

export const packageIndexRoutes: Routes = (app, context) => {
  const routes: Record<string, (publicUrl: string) => Listing | Promise<Listing>> = {
    '/simple/': (publicUrl) => ({
      json: { projects: Object.keys(PROJECTS).map((name) => ({ name })) },
      links: Object.keys(PROJECTS).map((name) => ({
        href: linkTo(publicUrl, `/simple/${name}/`),
        text: name,
      })),
    }),
  };
  for (const [name, filesOf] of Object.entries(PROJECTS)) {
    routes[`/simple/${name}/`] = async (publicUrl) => {
      const wheels = await filesOf(publicUrl);
      if (wheels.length === 0) throw new ApiError('DOWNLOAD_NOT_BUILT');
      const files = wheels.map(({ name: filename, path, sha256 }) => ({
        filename,
        url: linkTo(publicUrl, path),
        hashes: { sha256 },
        'requires-python': REQUIRES_PYTHON,
      }));
      return {
        json: { name, files },
        links: files.map(({ filename, url, hashes }) => ({
          href: `${url}#sha256=${hashes.sha256}`,
          text: filename,
          requires: REQUIRES_PYTHON,
        })),
      };
    };
  }
  for (const [path, list] of Object.entries(routes)) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const listing = await list(context.options.publicUrl);
      const text = request.headers.accept?.includes(JSON_TYPE)
        ? new Text(JSON_TYPE, JSON.stringify({ meta: { 'api-version': '1.0' }, ...listing.json }))
        : new Text(HTML_TYPE, pageOf(listing));
      return context.send(reply, text, revalidate);
    });
  }
  app.get<{ Params: { name: string } }>(
    '/simple/netsdk-lab/:name',
    { schema: { hide: true, params: Type.Object({ name: Type.String() }) } },
    async ({ params }, reply) => {
      const wheel = (await labWheels()).find(({ name }) => name === params.name);
      if (wheel === undefined) throw new ApiError('DOWNLOAD_NOT_BUILT');
      return context.send(reply, new File(wheel.mediaType, wheel.bytes), byChain);
    },
  );
};

function pageOf({ links }: Listing): string {
  const lines = links.map(({ href, text, requires }) => {
    const python = requires === undefined ? '' : ` data-requires-python="${escapeHtml(requires)}"`;
    return `<a href="${escapeHtml(href)}"${python}>${text}</a>`;
  });
  return `<!DOCTYPE html>\n<html lang="en">\n<title>Python packages</title>\n${lines.join('\n')}\n</html>\n`;
}
