/** Keeps the first `cap` bytes that it is given. */
export class CappedOutput {
  readonly #cap: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  truncated = false;

  constructor(cap: number) {
    this.#cap = cap;
  }

  add(chunk: Buffer): void {
    const room = this.#cap - this.#size;
    if (chunk.length > room) this.truncated = true;
    if (room <= 0) return;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#chunks.push(kept);
    this.#size += kept.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
