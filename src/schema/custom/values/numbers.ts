/** Bounds and multiples. */
import type { JSONSchemaProps } from '../../apiextensions/jsonSchemaProps.ts';
import type { Check } from './check.ts';

export function numberChecks(schema: JSONSchemaProps): Check {
  return (value, path, findings) => {
    const details = [...complaintsAbout(Number(value), schema)];
    for (const detail of details) findings.add({ reason: 'invalid', path, value, detail });
    if (details.length === 0) findings.checks++;
  };
}

/** Every rule that the number breaks, in the reference's order. */
function* complaintsAbout(value: number, schema: JSONSchemaProps): Generator<string> {
  const { multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum } = schema;
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) yield `should be a multiple of ${multipleOf}`;
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    yield `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`;
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    yield `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`;
}

/** Up to the error of a division. */
function isMultiple(value: number, factor: number): boolean {
  if (factor <= 0) return false;
  const times = value / factor;
  const whole = Math.round(times);
  return times === whole || Math.abs(times - whole) / (Math.abs(times) + Math.abs(whole)) < 1e-9;
}
