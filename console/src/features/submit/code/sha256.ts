/** SHA-256, piece by piece: browsers have none on plain HTTP, and none that takes its content in pieces. */

const K = new Uint32Array(64);
const START = new Uint32Array(8);

/** The first 32 bits of the fraction. */
const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32);

for (let prime = 2, count = 0; count < 64; prime += 1) {
  let divisor = 2;
  while (divisor * divisor <= prime && prime % divisor !== 0) divisor += 1;
  if (divisor * divisor <= prime) continue;
  K[count] = fraction(Math.cbrt(prime));
  if (count < 8) START[count] = fraction(Math.sqrt(prime));
  count += 1;
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export class Sha256 {
  private readonly state = START.slice();
  private readonly words = new Uint32Array(64);
  private readonly block = new Uint8Array(64);
  private filled = 0;
  private total = 0;

  add(bytes: Uint8Array): void {
    this.total += bytes.length;
    let at = 0;
    while (at < bytes.length) {
      const part = Math.min(64 - this.filled, bytes.length - at);
      this.block.set(bytes.subarray(at, at + part), this.filled);
      this.filled += part;
      at += part;
      if (this.filled === 64) this.mix();
    }
  }

  /** Once, at the end. */
  hex(): string {
    const bits = this.total * 8;
    this.add(new Uint8Array([0x80]));
    while (this.filled !== 56) this.add(new Uint8Array(1));
    const length = new DataView(new ArrayBuffer(8));
    length.setUint32(0, Math.floor(bits / 2 ** 32));
    length.setUint32(4, bits % 2 ** 32);
    this.add(new Uint8Array(length.buffer));
    return [...this.state].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  private mix(): void {
    const { words, state } = this;
    const view = new DataView(this.block.buffer);
    for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(at * 4);
    for (let at = 16; at < 64; at += 1) {
      const early = words[at - 15]!;
      const late = words[at - 2]!;
      const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[at] = (words[at - 16]! + one + words[at - 7]! + two) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let at = 0; at < 64; at += 1) {
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[at]! + words[at]!) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = state[at]! + value;
    this.filled = 0;
  }
}
