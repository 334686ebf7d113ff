/** Addresses of the page's own worker scripts, in the form that its policy allows. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string;
  };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/**
 * The policy of the page allows one policy of trusted types, and that one allows the scripts of this build alone.
 * @param url as an import with `?worker&url` names it
 */
export function workerScript(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('netd-worker', {
    createScriptURL: (asked) => {
      const { origin, pathname } = new URL(asked, location.href);
      if (origin !== location.origin || !/^\/explorer\/[\w-]+\.js$/.test(pathname)) {
        throw new TypeError('This is no script of this page.');
      }
      return asked;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}
