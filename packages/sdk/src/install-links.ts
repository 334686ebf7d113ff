import { bytesToBase64, utf8Bytes } from '@netd/protocol';

export interface InstallLink {
  client: string;
  url: string;
  /** Web address for texts that cannot link other schemes. */
  webUrl: string;
}

/**
 * Returns links as described at https://cursor.com/docs/mcp/install-links and
 * https://code.visualstudio.com/api/extension-guides/ai/mcp.
 * @param entry must not contain a key, because links are readable by anyone
 */
export function installLinks(name: string, entry: object): InstallLink[] {
  const config = bytesToBase64(utf8Bytes(JSON.stringify(entry)));
  const query = `name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
  const code = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...entry }))}`;
  return [
    {
      client: 'Cursor',
      url: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
      webUrl: `https://cursor.com/install-mcp?${query}`,
    },
    {
      client: 'VS Code',
      url: code,
      webUrl: `https://vscode.dev/redirect?url=${encodeURIComponent(code)}`,
    },
  ];
}
