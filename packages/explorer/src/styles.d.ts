declare module '*.css';

/** In the build. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}
