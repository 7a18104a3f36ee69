/** A value that is known already, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Passes a value on: at once if it is known, otherwise when its promise is fulfilled. Unlike `await` it makes no promise of what is known, such as
 * a cached token.
 */
export function andThen<T, Result>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
