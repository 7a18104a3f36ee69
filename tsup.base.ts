import { defineConfig, type Options } from "tsup";

/**
 * A published package: ESM for Node 20, workspace packages and dependencies left as imports. esbuild drops unused code by itself. The extra
 * pass of rollup (`treeshake`) takes three times as long as everything else and makes the code smaller by 1 to 7 %: what is downloaded by
 * browsers has it.
 */
export const base = (extra: Options = {}) =>
  defineConfig({
    format: ["esm"],
    target: "node20",
    platform: "node",
    sourcemap: true,
    clean: true,
    loader: { ".sql": "text" },
    ...extra,
  });

/**
 * Dependencies that stay imports of a bundled app: those that read files of their own (PGlite's program, PDFKit's font metrics, the
 * typefaces), and openpgp, whose licence (LGPL) asks that it can be replaced. Whoever installs `wealth-connect` installs these four.
 */
const keptApart = ["@electric-sql/pglite", "dejavu-fonts-ttf", "openpgp", "pdfkit"];

/** What an app needs of its dependencies' files, where that is little of what is in there: at every start all of it is read. */
const needed: readonly { readonly file: RegExp; readonly contents: string }[] = [
  // Half of zod is what it says in 60 languages. Texts for people are our own (`zodMessages`), and English it has without this list.
  { file: /\/zod\/v4\/locales\/index\.js$/, contents: 'export { default as en } from "./en.js";' },
  // pg asks a `Response` whether this is Cloudflare. For that Node 20 loads everything that `fetch` needs.
  {
    file: /\/pg\/lib\/stream\.js$/,
    contents:
      'exports.getStream = () => new (require("net").Socket)(); exports.getSecureStream = (options) => require("tls").connect(options);',
  },
  // Bodies are read by `@org/http`.
  { file: /\/body-parser\/index\.js$/, contents: "module.exports = {};" },
  // Custodians' files are in Unicode or have a byte for each character; the rest of what iconv-lite knows is tables of East Asian ones.
  { file: /\/iconv-lite\/encodings\/dbcs-data\.js$/, contents: "module.exports = {};" },
];

const onlyNeeded: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "only-needed",
  setup({ onLoad }) {
    for (const { file, contents } of needed) onLoad({ filter: file }, () => ({ contents }));
  },
};

/** Native parts that dependencies ask for and do well without. */
const leftOut = ["cpu-features", "pg-native"];

/**
 * An app: workspace packages are bundled from their sources, so that it builds and starts without their builds, and so are all other
 * dependencies: what was tested is what is installed, and hundreds of small files take longer to find than to run.
 */
export const bundled = (extra: Options = {}) =>
  base({
    noExternal: [new RegExp(`^(?!\\.|node:|${[...keptApart, ...leftOut].join("|")})`)],
    external: [...keptApart, ...leftOut, /\.node$/],
    // CommonJS dependencies that end up in the bundle ask for these.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url); const __dirname = import.meta.dirname;',
    },
    esbuildPlugins: [onlyNeeded],
    esbuildOptions: (options) => {
      options.conditions = ["@org/source"];
      // Its sources are read at every start, and stay in memory. Names are kept and lines are short, so that a stack still leads somewhere.
      options.minifyWhitespace = true;
      options.lineLimit = 160;
    },
    ...extra,
  });
