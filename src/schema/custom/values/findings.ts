/** The result of validating a value: its errors, and how much of the schema it matched. */
import * as field from '../../define/fieldErrors.ts';
import type { Path } from '../../define/fieldErrors.ts';
import { type FieldError } from '../../define/fieldErrors.ts';

export interface Finding {
  readonly reason: 'invalid' | 'required' | 'notSupported';
  /** Names joined by dots, begun with a dot where the root was left; undefined for the value as a whole. */
  readonly path: string | undefined;
  readonly value: unknown;
  readonly detail: string;
  readonly supported?: readonly string[];
}

export class Findings {
  readonly #list: Finding[] = [];
  readonly #known = new Set<string>();
  /** The number of checks; of several alternatives the one that got furthest explains the error best. */
  checks = 0;

  get none(): boolean {
    return this.#list.length === 0;
  }

  /** The same complaint about the same field is told once, however many items of a list it is true of. */
  add(finding: Finding): void {
    const key = `${finding.path ?? ''}\n${finding.detail}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#list.push(finding);
  }

  take(other: Findings): void {
    for (const finding of other.#list) this.add(finding);
    this.checks += other.checks;
  }

  errors(at: Path): FieldError[] {
    return this.#list.map((finding) => toError(finding, at));
  }
}

const NIL = '<nil>';

function toError({ reason, path, value, detail, supported = [] }: Finding, at: Path): FieldError {
  // What has no path of its own is about the root, whose path is the reference's nil pointer.
  const name = path?.replace(/^\./, '') ?? (String(at) === '' ? NIL : '');
  const where = name === '' ? at : at.child(name);
  if (reason === 'required') return field.required(where);
  return reason === 'invalid' ? field.invalid(where, value, detail) : field.notSupported(where, value, supported);
}
