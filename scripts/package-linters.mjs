// Uses publint and attw as libraries: as commands, each package would load them again, including attw's compiler.
import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { problemKindInfo } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** Resolution modes that cannot import ES modules; our packages contain nothing else. */
const notForModules = ["node10", "node16-cjs"];

/**
 * Reports publint's findings for a packed package, suggestions included.
 * @throws Error that lists them
 */
export async function lintPackage(tarball) {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const packed = { tarball: buffer.slice(byteOffset, byteOffset + byteLength) };
  const { messages, pkg } = await publint({ pack: packed, strict: true });
  refuseAny(messages.map((message) => `${message.type}: ${formatMessage(message, pkg, { color: false })}`));
}

/** Checks that every entry point has types that every capable compiler finds, and that they match the code. @throws Error that lists what is wrong */
export async function lintTypes(tarball) {
  const { types, problems } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (!types) throw new Error("it has no types");
  const ours = problems.filter(({ resolutionKind }) => !notForModules.includes(resolutionKind));
  refuseAny(ours.map((problem) => `${problemKindInfo[problem.kind].description} ${JSON.stringify(problem)}`));
}

function refuseAny(faults) {
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
