/** The page's own files as strings, by the bundler's `?raw`. */
declare module "*?raw" {
  const text: string;
  export default text;
}
