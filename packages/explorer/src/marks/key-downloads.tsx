import { useState } from 'react';
import type { KeyFile } from '../wallet/key-files.ts';
import { download } from '../ui/download.ts';

export function KeyDownloads({
  files,
  saved = () => {},
}: {
  files: readonly KeyFile[];
  saved?: (file: KeyFile) => void;
}) {
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  return (
    <ul className="plain-list">
      {files.map(({ name, text }) => (
        <li key={name}>
          <span className="mono">{name}.json</span>
          <span className="soft">
            {name.includes('.encryption') ? 'decrypts content for you' : 'signs'}
          </span>
          <button
            type="button"
            className="button"
            onClick={() => {
              download(`${name}.json`, text);
              setDone((all) => new Set([...all, name]));
              saved({ name, text });
            }}
          >
            {done.has(name) ? 'Save again' : 'Save'}
            <span className="hidden-text"> {name}.json</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
