/** An index of Python packages (PEP 503, PEP 691) with the SDK, so that uv and pip find it by its name. */
import { ApiError } from '@netd/engine';
import { wheelFile } from '../../downloads.ts';
import { linkTo } from '../../own-address.ts';
import { revalidate } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { HTML_TYPE, Text } from '../encoded-document.ts';
import { escapeHtml } from '../page.ts';

const PROJECT = 'netsdk';
const JSON_TYPE = 'application/vnd.pypi.simple.v1+json';
/** A test compares it with pyproject.toml. */
const REQUIRES_PYTHON = '>=3.10';

interface Listing {
  json: object;
  links: readonly { href: string; text: string; requires?: string }[];
}

export const packageIndexRoutes: Routes = (app, context) => {
  const routes: Record<string, (publicUrl: string) => Listing> = {
    '/simple/': (publicUrl) => ({
      json: { projects: [{ name: PROJECT }] },
      links: [{ href: linkTo(publicUrl, `/simple/${PROJECT}/`), text: PROJECT }],
    }),
    [`/simple/${PROJECT}/`]: (publicUrl) => {
      const wheel = wheelFile(publicUrl);
      if (wheel === null) throw new ApiError('DOWNLOAD_NOT_BUILT');
      const { name: filename, path, sha256 } = wheel;
      const url = linkTo(publicUrl, path);
      const file = { filename, url, hashes: { sha256 }, 'requires-python': REQUIRES_PYTHON };
      return {
        json: { name: PROJECT, files: [file] },
        links: [{ href: `${url}#sha256=${sha256}`, text: filename, requires: REQUIRES_PYTHON }],
      };
    },
  };
  for (const [path, list] of Object.entries(routes)) {
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      const listing = list(context.options.publicUrl);
      const text = request.headers.accept?.includes(JSON_TYPE)
        ? new Text(JSON_TYPE, JSON.stringify({ meta: { 'api-version': '1.0' }, ...listing.json }))
        : new Text(HTML_TYPE, pageOf(listing));
      return context.send(reply, text, revalidate);
    });
  }
};

function pageOf({ links }: Listing): string {
  const lines = links.map(({ href, text, requires }) => {
    const python = requires === undefined ? '' : ` data-requires-python="${escapeHtml(requires)}"`;
    return `<a href="${escapeHtml(href)}"${python}>${text}</a>`;
  });
  return `<!DOCTYPE html>\n<html lang="en">\n<title>Python packages</title>\n${lines.join('\n')}\n</html>\n`;
}
