/** Bytes that come in pieces and are taken in others. */
export class ByteQueue {
  #pieces: Uint8Array[] = [];
  #size = 0;

  /** How many bytes there are. */
  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  /** Returns the first bytes without removing them; they must exist. Pieces are joined only as far as needed. */
  peek(length: number): Buffer {
    let whole = this.#pieces[0] ?? new Uint8Array();
    if (whole.length < length) whole = this.#join(length);
    return Buffer.from(whole.buffer, whole.byteOffset, length);
  }

  /** Removes the first bytes; they must exist. */
  take(length: number): Buffer {
    const taken = this.peek(length);
    const rest = this.#pieces[0]?.subarray(length);
    if (rest && rest.length > 0) this.#pieces[0] = rest;
    else this.#pieces.shift();
    this.#size -= length;
    return taken;
  }

  #join(length: number): Uint8Array {
    let count = 0;
    for (let bytes = 0; bytes < length; count++) bytes += this.#pieces[count]?.length ?? length;
    const joined = Buffer.concat(this.#pieces.slice(0, count));
    this.#pieces.splice(0, count, joined);
    return joined;
  }
}
