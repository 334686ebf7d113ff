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
              ? 'The node publishes no hashes of a wallet, so another server sent this page.'
              : others.length === 0
                ? `All ${data.files.length} files that this page has loaded have the hashes that the node names.`
                : `${others.length} of ${data.files.length} files that this page has loaded have other hashes than the node names. Do not use this wallet.`}
          </p>
        )}
        <p className="soft">
          The page and these hashes come from the same node. If you do not trust it, compare them
          with the hashes of your own build.{' '}
          {data?.attestedChannels === 0 &&
            'The chain names no build either, because auditors have attested none yet.'}
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
