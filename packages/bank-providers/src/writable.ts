/** The same, while it is made. Fields are set one by one where rows come in hundreds of thousands: spreading parts takes several times as long. */
export type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
