import { useQuery } from '@tanstack/react-query';
import { client } from '../../chain/client.ts';
import { loadedFiles } from '../../chain/loaded-files.ts';
import { hashOwnFile, readBuildManifest } from '../../chain/own-files.ts';
import { FileHashes } from '../../marks/file-hashes.tsx';
import { Card, ErrorNote, Skeleton } from '../../ui/parts.tsx';

async function check() {
  const [served, { attestedChannels }] = await Promise.all([
    readBuildManifest(),
    client.read('/v1/wallet/releases'),
  ]);
  const named = new Map((served?.files ?? []).map(({ path, sha256 }) => [path, sha256]));
  const files = await Promise.all(loadedFiles().map((path) => hashOwnFile(path, named.get(path))));
  return { served, attestedChannels, files };
}

export function BuildCheck() {
  const build = useQuery({ queryKey: ['wallet', 'build'], queryFn: check, retry: false });
  const { data } = build;
  const others = data?.files.filter(({ isNamed }) => !isNamed) ?? [];
  return (
    <Card
      title="This wallet itself"
      aside={
        data?.served && (
          <span className="soft">
            version {data.served.version} of {data.served.madeOn}
          </span>
        )
      }
    >
      <div className="inside stack-small">
        {build.isPending && <Skeleton lines={3} />}
        {build.isError && (
          <ErrorNote error={build.error} what="The files of this page could not be read again." />
        )}
        {data && (
          <p data-build={others.length === 0 ? 'named' : 'other'}>
            {data.served === null
              ? 'The node names no build of a wallet: this page came from somewhere else.'
              : others.length === 0
                ? `All ${data.files.length} files that this page has loaded are those that the node names.`
                : `${others.length} of ${data.files.length} files that this page has loaded are not those that the node names: do not use it.`}
          </p>
        )}
        <p className="soft">
          The page and the name of its build come from the same node. If you trust neither, compare
          the hashes with those of a build that you made yourself.{' '}
          {data?.attestedChannels === 0 &&
            'The chain names no build, because auditors have attested none yet.'}
        </p>
        {data && (
          <details>
            <summary>The files and their hashes</summary>
            <FileHashes files={data.files} />
          </details>
        )}
      </div>
    </Card>
  );
}
