export const ANNOTATION_PREFIX = 'simulation.vitrine.dev/';

/** One way in which a node or the containers of a pod can be made to fail: an annotation that anybody may write. */
export interface Fault {
  /** Stable; used by code. */
  readonly name: string;
  /** What it applies to. Written into a pod template it applies to each pod made from that. */
  readonly kind: 'Node' | 'Pod';
  readonly annotation: string;
  readonly value: FaultValue;
}

/** What the annotation may say. */
export type FaultValue =
  | { readonly type: 'switch'; readonly on: string }
  /** With `several`, a list separated by commas. */
  | { readonly type: 'choice'; readonly several: boolean; readonly options: readonly string[] }
  /** A duration such as `30s` or `1m30s`. */
  | { readonly type: 'duration'; readonly initial: string }
  | { readonly type: 'number'; readonly least: number; readonly most: number; readonly initial: string };

/** Why a text is no value of a fault; undefined where it is one. */
export function problemOf(value: FaultValue, text: string): string | undefined {
  if (value.type === 'switch') return text === value.on ? undefined : `must be ${value.on}`;
  if (value.type === 'duration')
    return /^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text) ? undefined : 'must be a duration such as 30s';
  if (value.type === 'number') {
    const isInside = /^\d+$/.test(text) && Number(text) >= value.least && Number(text) <= value.most;
    return isInside ? undefined : `must be a number from ${value.least} to ${value.most}`;
  }
  const words = value.several ? text.split(',').map((word) => word.trim()) : [text];
  const isKnown = words.every((word) => value.options.includes(word));
  return isKnown ? undefined : `must be ${value.several ? 'some' : 'one'} of ${value.options.join(', ')}`;
}

/** What a menu sets when nothing else was chosen. */
export function initialValue(value: FaultValue): string {
  if (value.type === 'switch') return value.on;
  return value.type === 'choice' ? (value.options[0] ?? '') : value.initial;
}
