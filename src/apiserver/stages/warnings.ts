/** The total length of an answer's warnings, in characters, above which they are cut. */
const MOST = 4096;
/** What is then left of each. */
const CUT = 256;

/** Warning headers (RFC 7234, section 5.5): code 299, no agent, the text quoted. */
export function withWarnings(response: Response, warnings: ReadonlySet<string>): Response {
  for (const text of withinLimit([...warnings]))
    response.headers.append('warning', `299 - ${JSON.stringify(text.replace(/[^\x20-\x7e]/g, ' '))}`);
  return response;
}

/**
 * The warnings that an answer carries: all of them as they are, or, from the one on with which they come to too much, each cut, those
 * before it too; and no more once what is cut comes to the limit again.
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
