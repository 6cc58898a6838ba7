/** Labels, tolerations and taints as one line of text, and back. */

/** `a=1, b=2` from a map. */
export const pairsText = (pairs: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(pairs ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

const pieces = (text: string): string[] =>
  text
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/** A map from `a=1, b=2`; undefined where a piece is none. */
export function parsePairs(text: string): Record<string, string> | undefined {
  const pairs = pieces(text).map((piece) => /^([^=\s]+)=(\S*)$/.exec(piece));
  if (!pairs.every((pair) => pair !== null)) return undefined;
  return Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value]));
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export const taintsText = (taints: readonly Taint[] | undefined): string =>
  (taints ?? []).map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`).join(', ');

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Taints from `key=value:Effect, key:Effect`; undefined where a piece is none. */
export function parseTaints(text: string): readonly Taint[] | undefined {
  const taints = pieces(text).map((piece): Taint | undefined => {
    const [, key = '', value = '', effect = ''] = /^([^=:\s]+)(?:=([^:\s]*))?:(\w+)$/.exec(piece) ?? [];
    return EFFECTS.includes(effect) ? { key, ...(value && { value }), effect } : undefined;
  });
  return taints.every((taint) => taint !== undefined) ? taints : undefined;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** Tolerations of exactly what taints say; `key:Effect` tolerates any value, and a lone `*` everything. */
export const tolerationsText = (tolerations: readonly Toleration[] | undefined): string =>
  (tolerations ?? [])
    .map(({ key, operator, value, effect }) => {
      const what = key ? `${key}${operator === 'Exists' ? '' : `=${value ?? ''}`}` : '*';
      return effect ? `${what}:${effect}` : what;
    })
    .join(', ');

/** Tolerations from such a text; undefined where a piece is none. */
export function parseTolerations(text: string): readonly Toleration[] | undefined {
  const all = pieces(text).map((piece): Toleration | undefined => {
    const [, key = '', value, effect = ''] = /^(\*|[^=:*\s]+)(?:=([^:\s]*))?(?::(\w+))?$/.exec(piece) ?? [];
    if (key === '' || (effect !== '' && !EFFECTS.includes(effect)) || (key === '*' && value !== undefined))
      return undefined;
    return {
      ...(key !== '*' && { key }),
      ...(value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }),
      ...(effect && { effect }),
    };
  });
  return all.every((toleration) => toleration !== undefined) ? all : undefined;
}
