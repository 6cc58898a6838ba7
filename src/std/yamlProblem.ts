interface Problem {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** What the reference says of a mistake in a YAML text, for the most frequent ones; otherwise what the library says. */
export function yamlProblem({ code, message, pos: [at] }: Problem, text: string): string {
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || /Nested mappings are not allowed/.test(message))
    return 'mapping values are not allowed in this context';
  if (code === 'TAB_AS_INDENT')
    return `line ${text.slice(0, at).split('\n').length}: found character that cannot start any token`;
  const isOpen = at >= text.trimEnd().length && /Flow (sequence|map)/.test(message);
  if (!isOpen) return message;
  const before = text.slice(0, at).trimEnd();
  const expected = /[[{,:]$/.test(before) ? 'node content' : `',' or '${/sequence/.test(message) ? ']' : '}'}'`;
  return `line ${before.split('\n').length}: did not find expected ${expected}`;
}
