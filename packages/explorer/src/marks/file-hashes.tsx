import type { OwnFile } from '../chain/own-files.ts';
import { Hash } from './names.tsx';

export function FileHashes({ files }: { files: readonly OwnFile[] }) {
  return (
    <ul className="plain-list files">
      {files.map(({ path, sha256, isNamed }) => (
        <li key={path}>
          <span className="mono">{path}</span> <Hash hash={sha256} />
          {!isNamed && (
            <span className="chip" data-tone="trouble">
              differs from the hash that the node names
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
