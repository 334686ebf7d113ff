/** No trailing slash. A proxy may serve the page below a path, so only its `<base>` knows. */
export const rootUrl = new URL('.', document.baseURI).href.replace(/\/$/, '');
