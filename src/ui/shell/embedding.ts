/** How the page is shown within another one: `?embed=explore,network&read-only`. Read once; it holds for the page's life. */
import { getOwn } from '../../std/index.ts';

export interface Embedding {
  /** Ids of the panels that are shown; all where none is named. */
  readonly panels: readonly string[];
  /** Whether what a person does is refused where it would change something. */
  readonly readOnly: boolean;
}

/** Reads a query; undefined where the page stands by itself. */
export function parseEmbedding(search: string): Embedding | undefined {
  const query = Object.fromEntries(new URLSearchParams(search));
  const named = getOwn(query, 'embed');
  if (named === undefined) return undefined;
  const readOnly = getOwn(query, 'read-only');
  return { panels: named.split(',').filter(Boolean), readOnly: readOnly !== undefined && readOnly !== 'false' };
}

export const embedding = parseEmbedding(globalThis.location?.search ?? '');

/** Why nothing can be changed where the page only shows a cluster. */
export const readOnlyRefusal = embedding?.readOnly ? 'This page is read-only.' : undefined;
