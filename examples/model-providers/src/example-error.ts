/** Something that the person who runs an example can put right; its message is all that is printed. */
export class ExampleError extends Error {
  override readonly name = "ExampleError";
}

/** Runs an example: what it throws on purpose becomes one line and exit code 1, anything else a stack. */
export async function runExample(example: () => Promise<void>): Promise<void> {
  try {
    await example();
  } catch (error) {
    console.error(error instanceof ExampleError ? error.message : error);
    process.exitCode = 1;
  }
}
