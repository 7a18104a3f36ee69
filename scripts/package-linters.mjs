// publint and attw as libraries: as commands, each package would load them, and with attw a compiler, once more.
import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { problemKindInfo } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** How somebody gets at a package who cannot use one of ES modules alone; ours are nothing else. */
const notForModules = ["node10", "node16-cjs"];

/**
 * What users of a packed package would trip over, suggestions included.
 * @throws Error that lists it
 */
export async function lintPackage(tarball) {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const packed = { tarball: buffer.slice(byteOffset, byteOffset + byteLength) };
  const { messages, pkg } = await publint({ pack: packed, strict: true });
  refuseAny(messages.map((message) => `${message.type}: ${formatMessage(message, pkg, { color: false })}`));
}

/**
 * Whether every entry point has types that every compiler which can import it finds, and that say what the code does.
 * @throws Error that lists what is wrong
 */
export async function lintTypes(tarball) {
  const { types, problems } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (!types) throw new Error("it has no types");
  const ours = problems.filter(({ resolutionKind }) => !notForModules.includes(resolutionKind));
  refuseAny(ours.map((problem) => `${problemKindInfo[problem.kind].description} ${JSON.stringify(problem)}`));
}

function refuseAny(faults) {
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
