/** Styles that come with the page that needs them. */
declare module '*.css';

/** The address of a worker's script, as the build names it. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}
