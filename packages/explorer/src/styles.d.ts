/** Styles that come with the page that needs them. */
declare module '*.css';
