/** The form of every answer to "why?": one sentence, what proves it, and what would change it. */

/** A place in an object: the object, and a field of it where one decided. */
export interface Place {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** A path such as `spec.ingress[0].from`. */
  readonly field?: string;
}

/** A statement, with the place in an object that shows it. */
export interface Evidence {
  readonly text: string;
  readonly at?: Place;
}

/** A change that would make it otherwise. */
export interface Remedy {
  readonly title: string;
  /** What the change allows besides what was asked; empty where it allows nothing more. */
  readonly alsoAllows: string;
  /** The object to apply. */
  readonly object: object;
}

export interface Answer {
  readonly sentence: string;
  readonly evidence: readonly Evidence[];
  /** The smallest change first. */
  readonly remedies: readonly Remedy[];
}

/** An object as a place. */
export function placeOf(
  apiVersion: string,
  kind: string,
  { metadata }: { readonly metadata?: { readonly namespace?: string; readonly name?: string } },
  field?: string,
): Place {
  const { namespace = '', name = '' } = metadata ?? {};
  return { apiVersion, kind, namespace, name, ...(field !== undefined && { field }) };
}
