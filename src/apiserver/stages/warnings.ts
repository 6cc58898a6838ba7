/** Warnings are cut when their total length exceeds this number of characters. */
const MOST = 4096;
/** The length to which each is then cut. */
const CUT = 256;

/** Warning headers (RFC 7234, section 5.5): code 299, no agent, the text quoted. */
export function withWarnings(response: Response, warnings: ReadonlySet<string>): Response {
  for (const text of withinLimit([...warnings]))
    response.headers.append('warning', `299 - ${JSON.stringify(text.replace(/[^\x20-\x7e]/g, ' '))}`);
  return response;
}

/**
 * The warnings of a response: unchanged up to the limit. From the one that exceeds it, all are cut, including the
 * earlier ones, and the rest is dropped when the cut ones reach the limit.
 */
export function withinLimit(texts: readonly string[]): readonly string[] {
  let total = 0;
  const excess = texts.findIndex((text) => (total += lengthOf(text)) > MOST);
  if (excess < 0) return texts;
  const cut = texts.map((text) => [...text].slice(0, CUT).join(''));
  let written = 0;
  return cut.filter((text, i) => {
    if (i > excess && written >= MOST) return false;
    written += lengthOf(text);
    return true;
  });
}

const lengthOf = (text: string): number => [...text].length;
