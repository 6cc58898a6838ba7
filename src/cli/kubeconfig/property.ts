/** `config set` and `config unset`: one value of the configuration, by its path: `contexts.lab.namespace`. */
import { goText, toBase64 } from '../../std/index.ts';
import { complaint } from '../command/errors.ts';
import { toggle } from '../command/flags.ts';
import { isSection, sections, type Field, type Section } from './fields.ts';
import { withEntry, type Entry, type Kubeconfig } from './kubeconfig.ts';

interface Property {
  readonly section: Section;
  /** The entry's name, which may hold dots; undefined for the whole section. */
  readonly name: string | undefined;
  /** Undefined for the whole entry. */
  readonly field: Field | undefined;
}

/** Text in; undefined takes the value away. */
type Change = { readonly text: string; readonly raw: boolean } | undefined;

/** The configuration with one value changed. Throws CommandError for an unknown path or an invalid value. */
export function changed(config: Kubeconfig, path: string, change: Change): Kubeconfig {
  const [first = '', ...rest] = path.split('.');
  if (first === 'current-context' && rest.length === 0) return { ...config, current: change?.text ?? '' };
  if (first === 'preferences') return withPreferences(config, rest, change, path);
  if (!isSection(first)) throw complaint(`unable to parse ${path} after [] at api.Config`);
  return withProperty(config, propertyOf(first, rest, path), change);
}

function propertyOf(section: Section, rest: readonly string[], path: string): Property {
  if (rest.length === 0) return { section, name: undefined, field: undefined };
  const fields = sections[section];
  const find = (word: string): Field | undefined => fields.find(({ name, alias = name }) => alias === word);
  const at = rest.slice(1).findIndex((word) => find(word) !== undefined) + 1;
  if (at === 0) return { section, name: rest.join('.'), field: undefined };
  if (at < rest.length - 1) throw complaint(`unable to parse one or more field values of ${path}`);
  return { section, name: rest.slice(0, at).join('.'), field: find(rest[at] ?? '') };
}

function withProperty(config: Kubeconfig, { section, name, field }: Property, change: Change): Kubeconfig {
  if (name === undefined) {
    if (change) throw complaint(`can't set a map to a value: ${goText(Object.fromEntries(config[section]))}`);
    return { ...config, [section]: new Map() };
  }
  const entry = config[section].get(name);
  if (!field) {
    if (change) throw complaint(`${name} is a whole entry of ${section}: set one of its fields`);
    return withEntry(config, section, name, undefined);
  }
  if (!change) {
    if (!entry) throw complaint(`current map key \`${name}\` is invalid`);
    const { [field.name]: _, ...others } = entry;
    return withEntry(config, section, name, others);
  }
  return withEntry(config, section, name, { ...entry, [field.name]: valueOf(field, change) });
}

function valueOf({ name, type }: Field, { text, raw }: NonNullable<Change>): unknown {
  if (type === 'text') return text;
  if (type === 'toggle') return toggleOf(text);
  if (type === 'bytes') return raw ? toBase64(new TextEncoder().encode(text)) : checked(text);
  throw complaint(type === 'texts' ? 'unrecognized slice type. string' : `unable to set ${name} to a text`);
}

function checked(text: string): string {
  const good = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?/.exec(text)?.[0].length ?? 0;
  const bad = text.slice(good).search(/[^A-Za-z0-9+/]/);
  const wrong = good === text.length ? -1 : good + Math.max(bad, 0);
  if (wrong >= 0) throw complaint(`error decoding input value: illegal base64 data at input byte ${wrong}`);
  return text;
}

function toggleOf(text: string): boolean {
  try {
    return toggle().take(text, false, false);
  } catch (error) {
    throw complaint(error instanceof Error ? error.message : String(error));
  }
}

function withPreferences(config: Kubeconfig, rest: readonly string[], change: Change, path: string): Kubeconfig {
  const { colors: _, ...others }: Entry = config.preferences;
  if (rest.length === 0 && !change) return { ...config, preferences: {} };
  if (rest.join('.') !== 'colors') throw complaint(`unable to parse one or more field values of ${path}`);
  return { ...config, preferences: change && toggleOf(change.text) ? { ...others, colors: true } : others };
}
