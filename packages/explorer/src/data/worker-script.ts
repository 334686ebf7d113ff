/** Addresses of the page's two worker scripts, in the form that its policy allows. */
// oxlint-disable import/default -- the build turns each of these imports into an address
import feed from './feed-worker.ts?worker&url';
import keys from '../wallet/soft-crypto/worker.ts?worker&url';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string;
  };
}

const SCRIPTS = { feed, keys };
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** The policy of the page allows one policy of trusted types, and that one allows these two addresses. */
export function workerScript(name: keyof typeof SCRIPTS): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('netd-worker', {
    createScriptURL: (url) => {
      if (!Object.values(SCRIPTS).includes(url)) {
        throw new TypeError('This is no worker script of this page.');
      }
      return url;
    },
  });
  return policy?.createScriptURL(SCRIPTS[name]) ?? SCRIPTS[name];
}
