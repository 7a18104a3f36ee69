/** A first-in, first-out queue; both ends take constant time. */
export class Queue<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  get first(): T | undefined {
    return this.#items[this.#head];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#head];
    this.#head += 1;
    // Removes consumed items now and then, at an amortised constant cost.
    if (this.size === 0 || (this.#head > 1_000 && this.#head * 2 > this.#items.length)) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
