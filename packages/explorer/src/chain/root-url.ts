/**
 * The node's address without trailing slash. It may have a path behind a proxy, which only `<base>` knows.
 */
export const rootUrl = new URL('.', document.baseURI).href.replace(/\/$/, '');
