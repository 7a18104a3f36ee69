// Compiles a project of examples like `tsc -p`, together with the declarations of our packages that it uses. Readers' compilers skip declarations
// (`skipLibCheck`), and silently use `any` where one of ours names something that does not exist.
//
//   node scripts/compile-examples.mjs <folder>
import { join, resolve } from "node:path";
import ts from "typescript";
import { publicPackages } from "./public-packages.mjs";

const file = join(resolve(process.argv[2]), "tsconfig.json");
const ourFolders = publicPackages().map(({ manifest }) => `/node_modules/${manifest.name}/dist/`);
const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (fault) => refuse([fault]) };
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(file, { skipLibCheck: false }, host);
const program = ts.createProgram(fileNames, options);
const checked = program
  .getSourceFiles()
  .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile || isOurs(fileName));
const faults = [
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...checked.flatMap((source) => [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ]),
];
if (faults.length > 0) refuse(faults);
const ours = checked.filter(({ fileName }) => isOurs(fileName)).length;
console.log(`${checked.length - ours} examples, ${ours} declarations`);
if (ours === 0) throw new Error("no declaration of ours was found");

function isOurs(path) {
  return ourFolders.some((folder) => path.includes(folder));
}

function refuse(diagnostics) {
  const names = {
    getCanonicalFileName: (path) => path,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => "\n",
  };
  console.error(ts.formatDiagnostics(diagnostics, names));
  process.exit(1);
}
