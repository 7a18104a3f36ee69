/** A problem that the person running the example can solve; only its message is printed. */
export class ExampleError extends Error {
  override readonly name = "ExampleError";
}

/** Runs an example: an ExampleError is printed in one line with exit code 1, anything else with its stack. */
export async function runExample(example: () => Promise<void>): Promise<void> {
  try {
    await example();
  } catch (error) {
    console.error(error instanceof ExampleError ? error.message : error);
    process.exitCode = 1;
  }
}
