/** Migrations are imported as text; the bundler and the test runner see to it. */
declare module "*.sql" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: a text module has nothing but a default export
  export default text;
}
