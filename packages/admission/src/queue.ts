/** A place in a {@link Queue}. */
export interface QueuePlace<T> {
  readonly item: T;
  before: QueuePlace<T> | undefined;
  after: QueuePlace<T> | undefined;
}

/** A first-in, first-out queue; both ends take constant time, and so does leaving it from the middle. */
export class Queue<T> {
  #first: QueuePlace<T> | undefined;
  #last: QueuePlace<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#first?.item;
  }

  push(item: T): QueuePlace<T> {
    const place: QueuePlace<T> = { item, before: this.#last, after: undefined };
    if (this.#last === undefined) this.#first = place;
    else this.#last.after = place;
    this.#last = place;
    this.#size += 1;
    return place;
  }

  shift(): T | undefined {
    const place = this.#first;
    if (place !== undefined) this.delete(place);
    return place?.item;
  }

  /** Removes what `push` has put there, once. */
  delete({ before, after }: QueuePlace<T>): void {
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    this.#size -= 1;
  }
}
