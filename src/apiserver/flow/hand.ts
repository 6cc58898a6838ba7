/**
 * Shuffle sharding: each flow is dealt a hand of queues, by a hash of its name, from a deck of all of them. Two flows
 * hardly ever hold the same hand, so one that floods its queues leaves others a queue of their own.
 */

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const MASK = 0xffffffffffffffffn;

/** FNV-1a, 64 bits, of UTF-16 units, stirred once more so that short texts spread over all bits. */
export function hash64(text: string): bigint {
  let hash = OFFSET;
  for (let i = 0; i < text.length; i++) hash = ((hash ^ BigInt(text.charCodeAt(i))) * PRIME) & MASK;
  hash = ((hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn) & MASK;
  return hash ^ (hash >> 33n);
}

/** `handSize` different numbers below `deckSize`, in an order that the hash decides; all hands are about as likely. */
export function deal(hash: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = [];
  let entropy = hash;
  for (let left = deckSize; left > deckSize - handSize; left--) {
    const place = Number(entropy % BigInt(left));
    entropy /= BigInt(left);
    hand.push(cardAt(place, hand));
  }
  return hand;
}

/** The card at a place of the deck from which the hand's cards were taken. */
function cardAt(place: number, hand: readonly number[]): number {
  let card = place;
  for (const taken of [...hand].sort((a, b) => a - b)) if (card >= taken) card += 1;
  return card;
}
