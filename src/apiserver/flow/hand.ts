/**
 * Shuffle sharding: a hash of the flow's name deals it a hand of queues from the deck of all queues. Two flows rarely
 * have the same hand, so a flow that floods its queues leaves other flows a free queue.
 */

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const MASK = 0xffffffffffffffffn;

/** FNV-1a with 64 bits over UTF-16 units, mixed once more so that short texts spread over all bits. */
export function hash64(text: string): bigint {
  let hash = OFFSET;
  for (let i = 0; i < text.length; i++) hash = ((hash ^ BigInt(text.charCodeAt(i))) * PRIME) & MASK;
  hash = ((hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn) & MASK;
  return hash ^ (hash >> 33n);
}

/**
 * `handSize` distinct numbers below `deckSize`, in an order determined by the hash; all hands are about equally likely.
 */
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

/** The card at a position of the deck, after removing the hand's cards. */
function cardAt(place: number, hand: readonly number[]): number {
  let card = place;
  for (const taken of [...hand].sort((a, b) => a - b)) if (card >= taken) card += 1;
  return card;
}
