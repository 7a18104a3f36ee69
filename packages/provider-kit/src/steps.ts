/** Work that is cut into steps of about a millisecond, so that other work can run in between. */
export type Steps<Result> = Generator<undefined, Result, void>;
