/** Which part of a stream is kept where it is longer than may be kept: the end of a hook's output says what was wrong. */
export type Keep = "start" | "both-ends";

/** Stands in a line of its own where output was left out. */
const GAP = Buffer.from("\n[…]\n");

/** Keeps `cap` of the bytes that it is given: the first, or the first and the last half. */
export class CappedOutput {
  readonly #room: number;
  readonly #tailRoom: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #tail = Buffer.alloc(0);
  truncated = false;

  constructor(cap: number, keep: Keep = "start") {
    this.#tailRoom = keep === "start" ? 0 : Math.floor(cap / 2);
    this.#room = cap - this.#tailRoom;
  }

  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, this.#room - this.#size);
    if (kept.length > 0) this.#chunks.push(kept);
    this.#size += kept.length;
    const rest = chunk.subarray(kept.length);
    if (rest.length === 0) return;
    if (this.#tail.length + rest.length > this.#tailRoom) this.truncated = true;
    if (this.#tailRoom > 0) this.#tail = Buffer.concat([this.#tail, rest]).subarray(-this.#tailRoom);
  }

  bytes(): Buffer {
    const gap = this.truncated && this.#tailRoom > 0 ? [GAP] : [];
    return Buffer.concat([...this.#chunks, ...gap, this.#tail]);
  }
}
