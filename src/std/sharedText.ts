/** Room for the short texts that come again and again, and for the keys of the last objects. */
const MOST = 2048;

const known = new Map<string, string>();

/** An equal text, the same for all who ask: for texts that many keep. */
export function sharedText(text: string): string {
  const one = known.get(text);
  if (one !== undefined) return one;
  if (known.size >= MOST) known.clear();
  known.set(text, text);
  return text;
}
