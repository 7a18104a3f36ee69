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

/** Makes a value once, on first use. Whoever asks meanwhile waits for the same; what could not be made is made anew for the next. */
export function makeOnce<T>(make: () => MaybePromise<T>): () => MaybePromise<T> {
  let made: { readonly value: MaybePromise<T> } | null = null;
  return () => {
    if (made !== null) return made.value;
    const value = make();
    made = { value };
    if (value instanceof Promise)
      value.then(
        (known) => {
          made = { value: known };
        },
        () => {
          made = null;
        },
      );
    return value;
  };
}
