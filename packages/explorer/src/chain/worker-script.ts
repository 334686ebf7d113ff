/** Creates script addresses as the page's Trusted Types policy requires. */
import { rootUrl } from './root-url.ts';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string;
  };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

export function workerScript(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('netd-worker', {
    createScriptURL: (asked) => {
      const { href } = new URL(asked, document.baseURI);
      const folder = `${rootUrl}/explorer/`;
      if (!href.startsWith(folder) || !/^[\w-]+\.js$/.test(href.slice(folder.length))) {
        throw new TypeError('This is no script of this page.');
      }
      return href;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}
