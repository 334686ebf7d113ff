/** Which build of this page runs: its own files, hashed here, beside what the node names. */
import { useQuery } from '@tanstack/react-query';
import { Hash } from '../../ui/names.tsx';
import { Card, ErrorNote, Skeleton } from '../../ui/parts.tsx';

interface Manifest {
  version: string;
  files: { path: string; sha256: string; bytes: number }[];
}

export function OwnFiles() {
  const own = useQuery({
    queryKey: ['own files'],
    queryFn: hashFiles,
    staleTime: Infinity,
    retry: false,
  });
  const { data } = own;
  return (
    <Card
      title="This page itself"
      aside={data && <span className="soft">version {data.version}</span>}
    >
      <div className="inside stack-small">
        <p className="soft">
          The server of a page controls what it shows. These are its files as your browser got them;
          compare the hashes with those of a build that you made yourself, or run the page from your
          own installation.
        </p>
        {own.isError && (
          <ErrorNote error={own.error} what="The files of this page could not be read again." />
        )}
        {own.isPending && <Skeleton lines={4} />}
        {data && (
          <ul className="plain-list files">
            {data.files.map(({ path, sha256, same }) => (
              <li key={path}>
                <span className="mono">{path}</span> <Hash hash={sha256} />
                {!same && (
                  <span className="chip" data-tone="trouble">
                    not what the node names
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

async function hashFiles() {
  const manifest = (await (await fetch('/explorer/manifest.json')).json()) as Manifest;
  const files = await Promise.all(
    manifest.files
      .filter(({ path }) => path.endsWith('.js') || path.endsWith('.css'))
      .map(async ({ path, sha256: named }) => {
        const bytes = await (await fetch(`/${path}`)).arrayBuffer();
        const sha256 = await sha256Of(bytes);
        return { path, sha256, same: sha256 === named };
      }),
  );
  return { version: manifest.version, files };
}

async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  // Pages of plain http on other machines have no crypto.subtle.
  const { sha256Hex } = await import('@netd/protocol');
  return sha256Hex(new Uint8Array(bytes));
}
