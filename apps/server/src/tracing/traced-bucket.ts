import type { DocumentBucket } from "@org/core";
import { asCall } from "./spans.js";

/** A bucket whose calls are spans, without names of objects. */
export function tracedBucket(bucket: DocumentBucket): DocumentBucket {
  const call = <T>(operation: string, work: () => Promise<T>) =>
    asCall(`S3 ${operation}`, { "rpc.method": operation }, work);
  return {
    put: (key, ciphertext) => call("PutObject", () => bucket.put(key, ciphertext)),
    get: (key, size) => call("GetObject", () => bucket.get(key, size)),
    remove: (keys) => call("DeleteObject", () => bucket.remove(keys)),
  };
}
