/** Styles imported by pages. */
declare module '*.css';

/** The address of a worker script in the build. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}
