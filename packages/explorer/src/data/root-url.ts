/**
 * The address that this page was served from, without a trailing slash. A proxy may serve it below a path, so
 * only the page's `<base>` knows it.
 */
export const rootUrl = new URL('.', document.baseURI).href.replace(/\/$/, '');
