/** Schemas joined by `anyOf`, `oneOf`, `allOf` and `not`. */
import type { JSONSchemaProps } from '../../apiextensions/jsonSchemaProps.ts';
import { Findings } from './findings.ts';
import type { Check } from './check.ts';

type Compile = (schema: JSONSchemaProps) => Check;

export function junctors(schema: JSONSchemaProps, compile: Compile): Check {
  const checks = [
    ...(schema.anyOf?.length ? [anyOf(schema.anyOf.map(compile))] : []),
    ...(schema.oneOf?.length ? [oneOf(schema.oneOf.map(compile))] : []),
    ...(schema.allOf?.length ? [allOf(schema.allOf.map(compile))] : []),
    ...(schema.not ? [not(compile(schema.not))] : []),
  ];
  return (value, path, findings) => {
    for (const check of checks) check(value, path, findings);
    findings.checks++;
  };
}

function run(check: Check, value: unknown, path: string): Findings {
  const findings = new Findings();
  check(value, path, findings);
  return findings;
}

/** The complaint is about the value as a whole, so it names no field. */
function complain(findings: Findings, path: string, detail: string): void {
  findings.add({ reason: 'invalid', path: undefined, value: '', detail: `${JSON.stringify(path)} ${detail}` });
}

/** The results that got furthest; of equals the first. */
function furthest(results: readonly Findings[]): Findings | undefined {
  return results.reduce<Findings | undefined>(
    (best, next) => (!best || next.checks > best.checks ? next : best),
    undefined,
  );
}

function anyOf(options: readonly Check[]): Check {
  return (value, path, findings) => {
    const failed: Findings[] = [];
    for (const option of options) {
      const result = run(option, value, path);
      if (result.none) return findings.take(result);
      failed.push(result);
    }
    complain(findings, path, 'must validate at least one schema (anyOf)');
    const best = furthest(failed);
    if (best) findings.take(best);
  };
}

function oneOf(options: readonly Check[]): Check {
  return (value, path, findings) => {
    const results = options.map((option) => run(option, value, path));
    const valid = results.filter((result) => result.none);
    const [first] = valid;
    if (first && valid.length === 1) return findings.take(first);
    const found = valid.length === 0 ? 'none' : String(valid.length);
    complain(findings, path, `must validate one and only one schema (oneOf), but ${found} did`);
    const best = valid.length === 0 ? furthest(results) : undefined;
    if (best) findings.take(best);
  };
}

function allOf(options: readonly Check[]): Check {
  return (value, path, findings) => {
    const results = options.map((option) => run(option, value, path));
    for (const result of results) findings.take(result);
    if (results.some((result) => !result.none)) complain(findings, path, 'must validate all the schemas (allOf)');
  };
}

function not(option: Check): Check {
  return (value, path, findings) => {
    if (run(option, value, path).none) complain(findings, path, 'must not validate the schema (not)');
  };
}
