import { useQuery } from '@tanstack/react-query';
import { hashOwnFile, readBuildManifest } from '../../chain/own-files.ts';
import { FileHashes } from '../../marks/file-hashes.tsx';
import { Card, ErrorNote, Skeleton } from '../../ui/parts.tsx';

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
          The server of a page controls what it shows. These are the files that your browser
          received. Compare their hashes with those of your own build, or run netd explorer from
          your own installation.
        </p>
        {own.isError && (
          <ErrorNote error={own.error} what="The files of this page could not be read again." />
        )}
        {own.isPending && <Skeleton lines={4} />}
        {data && <FileHashes files={data.files} />}
      </div>
    </Card>
  );
}

async function hashFiles() {
  const manifest = await readBuildManifest();
  if (!manifest) throw new Error('The server of this page publishes no hashes of its files.');
  const files = await Promise.all(
    manifest.files
      .filter(({ path }) => path.endsWith('.js') || path.endsWith('.css'))
      .map(({ path, sha256 }) => hashOwnFile(path, sha256)),
  );
  return { version: manifest.version, files };
}
