/** Compiles a schema to a validator, with checks in the reference's order. */
import type { Check } from './check.ts';
import { deepEqual, isObject, getOwn } from '../../../std/index.ts';
import type { JSONSchemaProps } from '../../apiextensions/jsonSchemaProps.ts';
import { Path, type FieldErrors } from '../../define/fieldErrors.ts';
import { compilePattern } from '../pattern/index.ts';
import { additionalOf, itemsOf, type Markers } from '../structural.ts';
import { Findings, type Finding } from './findings.ts';
import { formatCheck } from './formats.ts';
import { junctors } from './junctors.ts';
import { numberChecks } from './numbers.ts';
import { hasType, typeOf } from './types.ts';

/** Validates a value by its schema; `at` is the value's path. */
export type ValueValidator = (value: unknown, at?: Path) => FieldErrors;

export function valueValidator(schema: JSONSchemaProps, markers: Markers): ValueValidator {
  const check = compile(schema, markers);
  return (value, at = Path.root) => {
    const findings = new Findings();
    check(value, '', findings);
    return findings.errors(at);
  };
}

/** Parts are compiled when they are first needed: much of a large schema never is. */
export function compile(schema: JSONSchemaProps, markers: Markers): Check {
  let parts: Parts | undefined;
  return (value, path, findings) => {
    parts ??= partsOf(schema, markers);
    if (value === null) {
      parts.type(value, path, findings);
      parts.enumeration(value, path, findings);
      return;
    }
    for (const { applies, check } of parts.all) {
      if (!applies(value)) continue;
      check(value, path, findings);
      findings.checks++;
    }
    findings.checks++;
  };
}

interface Parts {
  readonly type: Check;
  readonly enumeration: Check;
  readonly all: readonly { readonly applies: (value: unknown) => boolean; readonly check: Check }[];
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const always = (): boolean => true;
const never = (): boolean => false;

function partsOf(schema: JSONSchemaProps, markers: Markers): Parts {
  const { type, enumeration } = { type: typeCheck(schema, markers), enumeration: enumCheck(schema) };
  const format = formatOf(schema);
  return {
    type,
    enumeration,
    all: [
      { applies: schema.type || format || schema[markers.intOrString] ? always : never, check: type },
      { applies: always, check: junctors(schema, (part) => compile(part, markers)) },
      { applies: isText, check: textChecks(schema) },
      { applies: format ? isText : never, check: formatChecks(format ?? '') },
      { applies: isNumber, check: numberChecks(schema) },
      { applies: Array.isArray, check: listChecks(schema, markers) },
      { applies: always, check: enumeration },
      { applies: isObject, check: objectChecks(schema, markers) },
    ],
  };
}

export const invalid = (path: string, value: unknown, detail: string): Finding => ({
  reason: 'invalid',
  path,
  value,
  detail,
});

const formatOf = ({ format }: JSONSchemaProps): string | undefined =>
  format !== undefined && formatCheck(format) ? format : undefined;

function typeCheck(schema: JSONSchemaProps, markers: Markers): Check {
  const types = schema[markers.intOrString] === true ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const wanted = { types, nullable: schema.nullable ?? false, format: formatOf(schema) };
  return (value, path, findings) => {
    if (hasType(value, wanted)) findings.checks++;
    else findings.add(invalid(path, typeOf(value), `must be of type ${types.join(',')}: "${typeOf(value)}"`));
  };
}

function enumCheck({ enum: values = [] }: JSONSchemaProps): Check {
  const supported = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return (value, path, findings) => {
    if (values.length === 0 || (value !== null && values.some((known) => deepEqual(known, value)))) return;
    findings.add({ reason: 'notSupported', path, value, detail: `one of ${supported.join()}`, supported });
  };
}

/** Only the first thing that is wrong with a text is told. */
function textChecks({ maxLength = Infinity, minLength = 0, pattern = '' }: JSONSchemaProps): Check {
  const compiled = pattern === '' ? undefined : compilePattern(pattern);
  return (value, path, findings) => {
    const text = String(value);
    const length = [...text].length;
    if (length > maxLength) findings.add(invalid(path, text, `should be at most ${maxLength} chars long`));
    else if (length < minLength) findings.add(invalid(path, text, `should be at least ${minLength} chars long`));
    else if (compiled && !compiled.matches(text)) findings.add(invalid(path, text, `should match '${pattern}'`));
  };
}

function formatChecks(format: string): Check {
  const check = formatCheck(format);
  return (value, path, findings) => {
    if (check && !check(String(value)))
      findings.add(invalid(path, value, `must be of type ${format}: "${String(value)}"`));
  };
}

function listChecks(schema: JSONSchemaProps, markers: Markers): Check {
  const { minItems = 0, maxItems = Infinity, uniqueItems = false } = schema;
  const items = itemsOf(schema);
  const item = items && compile(items, markers);
  return (value, path, findings) => {
    const list = value as readonly unknown[];
    // The reference names the list where an item is meant.
    if (item) for (const part of list) item(part, path, findings);
    if (list.length < minItems) findings.add(invalid(path, list.length, `should have at least ${minItems} items`));
    if (list.length > maxItems) findings.add(invalid(path, list.length, `should have at most ${maxItems} items`));
    if (uniqueItems && list.some((part, i) => list.slice(0, i).some((before) => deepEqual(before, part))))
      findings.add(invalid(path, '', "shouldn't contain duplicates"));
    findings.checks++;
  };
}

function objectChecks(schema: JSONSchemaProps, markers: Markers): Check {
  const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
  const properties = new Map(
    Object.entries(schema.properties ?? {}).map(([name, part]) => [name, compile(part, markers)]),
  );
  const additional = additionalOf(schema);
  const other = additional && compile(additional, markers);
  const hasDefault = (name: string): boolean => getOwn(schema.properties, name)?.default !== undefined;
  return (value, path, findings) => {
    const object = value as Readonly<Record<string, unknown>>;
    const count = Object.keys(object).length;
    if (count < minProperties)
      return findings.add(invalid(path, count, `should have at least ${minProperties} properties`));
    if (count > maxProperties)
      return findings.add(invalid(path, count, `should have at most ${maxProperties} properties`));
    for (const [name, part] of Object.entries(object)) {
      const check = properties.get(name);
      if (check) check(part, path === '' ? name : `${path}.${name}`, findings);
      else if (other) other(part, `${path}.${name}`, findings);
      else if (schema.additionalProperties === false)
        findings.add(invalid(path, '', `.${name} is a forbidden property`));
    }
    for (const name of required) {
      if (Object.hasOwn(object, name) || hasDefault(name)) continue;
      findings.add({ reason: 'required', path: `${path}.${name}`, value: undefined, detail: 'is required' });
    }
  };
}
