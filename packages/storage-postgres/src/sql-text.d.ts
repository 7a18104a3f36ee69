/** The bundler and the test runner import migrations as text. */
declare module "*.sql" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: a text module has nothing but a default export
  export default text;
}
