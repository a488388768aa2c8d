// Files as texts, which Vite puts in.
declare module '*?raw' {
  const text: string;
  export default text;
}
