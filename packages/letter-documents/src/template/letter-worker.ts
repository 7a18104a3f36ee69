// Worker thread that typesets the letters that `createLetterTemplate` sends, one at a time. It reports when it is ready.
import { parentPort } from "node:worker_threads";
import { type LetterToWrite, type WrittenLetter, writeLetter } from "./write-letter.js";

parentPort?.postMessage(null);
parentPort?.on("message", async (letter: LetterToWrite) => {
  parentPort?.postMessage((await writeLetter(letter)) satisfies WrittenLetter);
});
