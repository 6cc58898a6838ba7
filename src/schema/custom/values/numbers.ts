/** Bounds and multiples; only the first thing that is wrong with a number is told. */
import type { JSONSchemaProps } from '../../apiextensions/jsonSchemaProps.ts';
import type { Check } from './check.ts';

export function numberChecks(schema: JSONSchemaProps): Check {
  return (value, path, findings) => {
    const detail = complaint(Number(value), schema);
    if (detail !== undefined) findings.add({ reason: 'invalid', path, value, detail });
    else findings.checks++;
  };
}

function complaint(value: number, schema: JSONSchemaProps): string | undefined {
  const { multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum } = schema;
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return `should be a multiple of ${multipleOf}`;
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    return `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`;
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    return `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`;
  return undefined;
}

/** Up to the error of a division. */
function isMultiple(value: number, factor: number): boolean {
  if (factor <= 0) return false;
  const times = value / factor;
  const whole = Math.round(times);
  return times === whole || Math.abs(times - whole) / (Math.abs(times) + Math.abs(whole)) < 1e-9;
}
