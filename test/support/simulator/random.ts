import { createHash } from "node:crypto";

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** A string of the alphabet that both vendors' ids use, the same for the same seed. */
export function stableToken(seed: string, length: number): string {
  const bytes = createHash("sha512").update(seed).digest();
  let token = "";
  for (let i = 0; i < length; i += 1) token += alphabet[bytes.readUInt8(i) % alphabet.length] ?? "";
  return token;
}

/** A number in [0, 1), the same for the same seed. */
export function stableShare(seed: string): number {
  return createHash("sha256").update(seed).digest().readUInt32BE(0) / 2 ** 32;
}

/** 0 … count−1 in an order that depends on the seed only (Fisher-Yates over a linear congruential generator). */
export function shuffledIndexes(count: number, seed: string): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  let state = createHash("sha256").update(seed).digest().readUInt32BE(0);
  for (let i = count - 1; i > 0; i -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    const moved = order[i] ?? 0;
    order[i] = order[j] ?? 0;
    order[j] = moved;
  }
  return order;
}
