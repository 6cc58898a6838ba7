/** Values that are a whole number or a text such as `25%` or a port's name. */
export type IntOrString = number | string;

export const isPercent = (value: IntOrString): value is string => typeof value === 'string' && /^[0-9]+%$/.test(value);

/** The number before the percent sign, or undefined if the value is not a percentage. */
export function percentOf(value: IntOrString): number | undefined {
  return isPercent(value) ? Number(value.slice(0, -1)) : undefined;
}

/** A whole number as it is, a percentage of `total`; undefined for any other text. */
export function scaledValue(value: IntOrString, total: number, round: 'up' | 'down'): number | undefined {
  if (typeof value === 'number') return value;
  const percent = percentOf(value);
  if (percent === undefined) return undefined;
  const exact = (percent * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}

/** The whole number that a value holds; a text counts as the number that it spells, or zero. */
export function intValue(value: IntOrString): number {
  if (typeof value === 'number') return value;
  return /^[-+]?[0-9]+$/.test(value) ? Number(value) : 0;
}
